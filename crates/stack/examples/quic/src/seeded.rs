//! Random numbers and keys of the seed alone, so that equal runs are equal to the octet.
//!
//! TLS draws random numbers, connection identifiers and the secrets of its key exchange from here.
//! Nothing of it is secret, and no certificate is needed: a server shows a raw public key of
//! Ed25519 (RFC 7250), whose signatures have no random part, and a client takes any.

use std::fmt;
use std::sync::{Arc, Mutex};

use quinn_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn_proto::rustls;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    ActiveKeyExchange, CryptoProvider, GetRandomFailed, SecureRandom, SharedSecret,
    SupportedKxGroup, WebPkiSupportedAlgorithms, ring, verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{
    CertificateDer, PrivateKeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::sign::CertifiedKey;
use rustls::version::TLS13;
use rustls::{DigitallySignedStruct, Error, NamedGroup, SignatureScheme};
use x25519_dalek::{PublicKey, StaticSecret};

/// An Ed25519 private key in PKCS #8 (RFC 8410 §7) up to its 32 octets.
const ED25519: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// Random numbers of a seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub(crate) struct Numbers(Arc<Mutex<u64>>);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(seed)))
    }

    fn next(&self) -> u64 {
        let mut state = self.0.lock().expect("no thread has failed");
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The next octets.
    pub(crate) fn octets<const N: usize>(&self) -> [u8; N] {
        let mut octets = [0; N];
        self.fill_with(&mut octets);
        octets
    }

    fn fill_with(&self, octets: &mut [u8]) {
        for eight in octets.chunks_mut(8) {
            eight.copy_from_slice(&self.next().to_le_bytes()[..eight.len()]);
        }
    }

    /// The ring provider with these numbers, and with the exchange of X25519 (RFC 7748) by them. It
    /// lives as long as the program, as rustls asks of random numbers.
    fn provider(&self) -> Arc<CryptoProvider> {
        let numbers: &'static Self = Box::leak(Box::new(self.clone()));
        let kx_groups: Vec<&'static dyn SupportedKxGroup> = vec![numbers];
        Arc::new(CryptoProvider { secure_random: numbers, kx_groups, ..ring::default_provider() })
    }
}

impl SecureRandom for Numbers {
    fn fill(&self, octets: &mut [u8]) -> Result<(), GetRandomFailed> {
        self.fill_with(octets);
        Ok(())
    }
}

impl SupportedKxGroup for Numbers {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let secret = StaticSecret::from(self.octets());
        let public = PublicKey::from(&secret);
        Ok(Box::new(Exchange { secret, public }))
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

struct Exchange {
    secret: StaticSecret,
    public: PublicKey,
}

impl ActiveKeyExchange for Exchange {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let peer: [u8; 32] = peer.try_into().map_err(|_| Error::General("key".to_owned()))?;
        Ok(SharedSecret::from(&self.secret.diffie_hellman(&PublicKey::from(peer)).as_bytes()[..]))
    }

    fn pub_key(&self) -> &[u8] {
        self.public.as_bytes()
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

/// TLS of the end that connects.
pub(crate) fn client(numbers: &Numbers) -> Result<QuicClientConfig, Error> {
    let provider = numbers.provider();
    let any = Arc::new(AnyKey(provider.signature_verification_algorithms));
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(any)
        .with_no_client_auth();
    config.resumption = rustls::client::Resumption::disabled();
    QuicClientConfig::try_from(config).map_err(|fault| Error::General(fault.to_string()))
}

/// TLS of the end that listens.
pub(crate) fn server(numbers: &Numbers) -> Result<QuicServerConfig, Error> {
    let provider = numbers.provider();
    let private = [&ED25519[..], &numbers.octets::<32>()].concat();
    let private = PrivateKeyDer::try_from(private).map_err(|why| Error::General(why.to_owned()))?;
    let key = provider.key_provider.load_private_key(private)?;
    let public = key.public_key().expect("Ed25519 has one").to_vec();
    let shown = Arc::new(CertifiedKey::new(vec![CertificateDer::from(public)], key));
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(shown)));
    config.send_tls13_tickets = 0;
    QuicServerConfig::try_from(config).map_err(|fault| Error::General(fault.to_string()))
}

/// Takes any server that signs with the key that it shows.
struct AnyKey(WebPkiSupportedAlgorithms);

impl fmt::Debug for AnyKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AnyKey")
    }
}

impl ServerCertVerifier for AnyKey {
    fn verify_server_cert(
        &self,
        _shown: &CertificateDer<'_>,
        _others: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _shown: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("QUIC has TLS 1.3 alone".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(shown.as_ref());
        verify_tls13_signature_with_raw_key(message, &key, signed, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
