//! Validity of an existing certificate.

use std::net::IpAddr;

use time::OffsetDateTime;
use x509_parser::extensions::GeneralName;
use x509_parser::pem::parse_x509_pem;

/// The end and the names of a certificate.
#[derive(Debug)]
pub(super) struct Inspected {
    /// Its expiry.
    pub ends: OffsetDateTime,
    names: Vec<String>,
    addresses: Vec<IpAddr>,
}

impl Inspected {
    /// Parses a PEM certificate; the error describes the problem.
    pub fn read(pem: &str) -> Result<Self, String> {
        let (_, pem) = parse_x509_pem(pem.as_bytes()).map_err(|error| error.to_string())?;
        let certificate = pem.parse_x509().map_err(|error| error.to_string())?;
        let ends = certificate.validity().not_after.to_datetime();
        let mut found = Self { ends, names: Vec::new(), addresses: Vec::new() };
        let alternatives =
            certificate.subject_alternative_name().map_err(|error| error.to_string())?;
        for name in alternatives.iter().flat_map(|all| &all.value.general_names) {
            match name {
                GeneralName::DNSName(name) => found.names.push((*name).to_owned()),
                GeneralName::IPAddress(bytes) => found.addresses.extend(address(bytes)),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Whether it covers all of these names and addresses.
    pub fn covers(&self, names: &[String]) -> bool {
        names.iter().all(|name| match name.parse::<IpAddr>() {
            Ok(address) => self.addresses.contains(&address),
            Err(_) => self.names.contains(name),
        })
    }
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return Some(IpAddr::from(four));
    }
    <[u8; 16]>::try_from(bytes).ok().map(IpAddr::from)
}
