#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hasami_fuzz::record(data));
