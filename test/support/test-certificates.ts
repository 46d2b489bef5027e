import { createPrivateKey } from 'node:crypto';

/*
 * Certificates for servers of tests, on the curve P-256 and valid from 2020 to 2120. Made once with OpenSSL: `openssl
 * req -new` and `openssl ca` with `-startdate`, `-enddate` and an extension file that has the `subjectAltName`. The key
 * of the authority was thrown away; that of the servers protects nothing and is no secret, which is why it may stand
 * here.
 */

/** The authority that issued all of them but the self-signed one. */
export const testAuthority = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUZXN0IENB
IG9mIHdlYmhvb2sgY2FsbHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMCMxITAfBgNVBAMMGFRlc3QgQ0Egb2Ygd2ViaG9vayBjYWxsczBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABGiGsguzT6jqJ6sNqb4e703mBx/BRALO9I1rrtWJ
DmGwbxbOSQ4AWm0U6WyzWQLxMQfeZt0yb0vhGF5R7Z0SwZujQjBAMA8GA1UdEwEB
/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBScNuyV17baeivF39o0
JaMUCQ8TPDAKBggqhkjOPQQDAgNIADBFAiEAoMRWsKxtDY3Ud+P5hVnNZfz1OjSB
3fYnnr7dBMgQDH4CIEKZAOkQmz5y713Rc9/8gzU46wXSu+0d552Z6AdxvKM8
-----END CERTIFICATE-----
`;

const key = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/8XC+DKQb3f7L0jwBt99oKXz/m9suJ4qgdtW1zpm6wGh' +
      'RANCAATLWjUcsXEitIWeWT6tWxqLPCQgD5hDPZvOUc/b5bcplov0MamHhPmpnuWSsj1FwHjVjZszOlArXBpjWRO2HdKg',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
}).export({ format: 'pem', type: 'pkcs8' });

/** The keys and certificates of servers. All certificates but `otherHost` are for hooks.example.com. */
export const identities = {
  good: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIBAjAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUZXN0IENB
IG9mIHdlYmhvb2sgY2FsbHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEy1o1HLFxIrSFnlk+rVsaizwkIA+YQz2bzlHP2+W3KZaL9DGp
h4T5qZ7lkrI9RcB41Y2bMzpQK1waY1kTth3SoKNgMF4wHAYDVR0RBBUwE4IRaG9v
a3MuZXhhbXBsZS5jb20wHQYDVR0OBBYEFLNxWyWioibQ6lM5NazIF3gn+ksZMB8G
A1UdIwQYMBaAFJw27JXXttp6K8Xf2jQloxQJDxM8MAoGCCqGSM49BAMCA0kAMEYC
IQCgrdxZ0y3eLLXkC0D3owcYapqVpvjylrw1K/U0T/WOcQIhAJ9yzijhcime1oVn
xEEDhubwX3tR4/9bu5wOsWa2Uw1X
-----END CERTIFICATE-----
`,
  },
  expired: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBjjCCATSgAwIBAgIBBDAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUZXN0IENB
IG9mIHdlYmhvb2sgY2FsbHMwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMjAxMDAwMDAw
WjAcMRowGAYDVQQDDBFob29rcy5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABMtaNRyxcSK0hZ5ZPq1bGos8JCAPmEM9m85Rz9vltymWi/QxqYeE
+ame5ZKyPUXAeNWNmzM6UCtcGmNZE7Yd0qCjYDBeMBwGA1UdEQQVMBOCEWhvb2tz
LmV4YW1wbGUuY29tMB0GA1UdDgQWBBSzcVsloqIm0OpTOTWsyBd4J/pLGTAfBgNV
HSMEGDAWgBScNuyV17baeivF39o0JaMUCQ8TPDAKBggqhkjOPQQDAgNIADBFAiBI
oPgnSVl9DT1woORkoA3JYsvR6CjUcKt/YBYVnJRvVAIhAKk2+bjFidzuGNDnWJwV
j/ZeAyDMOZaz9pRy1i8wGhQ+
-----END CERTIFICATE-----
`,
  },
  otherHost: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIBAzAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhUZXN0IENB
IG9mIHdlYmhvb2sgY2FsbHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBwxGjAYBgNVBAMMEW90aGVyLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEy1o1HLFxIrSFnlk+rVsaizwkIA+YQz2bzlHP2+W3KZaL9DGp
h4T5qZ7lkrI9RcB41Y2bMzpQK1waY1kTth3SoKNgMF4wHAYDVR0RBBUwE4IRb3Ro
ZXIuZXhhbXBsZS5jb20wHQYDVR0OBBYEFLNxWyWioibQ6lM5NazIF3gn+ksZMB8G
A1UdIwQYMBaAFJw27JXXttp6K8Xf2jQloxQJDxM8MAoGCCqGSM49BAMCA0cAMEQC
IHGiLoFkvFULv2BHvi6LYElMBRYNuNB5mPWEct8FKr4bAiAg3yYfjkQ5J2oD2MoK
8z4coSjDWuSz9ZUyibAtFEkWtw==
-----END CERTIFICATE-----
`,
  },
  selfSigned: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ6gAwIBAgIBBTAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAATLWjUcsXEitIWeWT6tWxqLPCQgD5hDPZvOUc/b5bcplov0MamHhPmpnuWS
sj1FwHjVjZszOlArXBpjWRO2HdKgoz8wPTAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLmNvbTAdBgNVHQ4EFgQUs3FbJaKiJtDqUzk1rMgXeCf6SxkwCgYIKoZIzj0E
AwIDSAAwRQIgQBP9r8uT7hho4v1cfUGtyT3BtCcWUJJu5dw3n9D6vG0CIQDmUb61
i5A+JrlBxg+oFHbsvgkdmVDQ5AK82wp25JHxbQ==
-----END CERTIFICATE-----
`,
  },
};
