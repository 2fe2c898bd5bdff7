//! End-to-end tests live beside this file.
