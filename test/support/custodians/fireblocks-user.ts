import { createPrivateKey } from 'node:crypto';

/** An API user for tests. Its fixed key of 2048 bits protects nothing and is no secret; its tokens can be compared. */
export const testUser = {
  apiKey: '11111111-2222-3333-4444-555555555555',
  privateKeyPem: createPrivateKey({
    key: Buffer.from(
      `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCtVLn2tPn0JJ9NRmVpUZRPbRbKCf5NHqvxmLlNGb24mzq1G8BN3PQvY0uEDT
DbAk9hacIxjLaUpKAjWottiMl6YFkq+atVDfzf+ElGIvHvtqRok65S6ABSooi73oeL8flJyeVLTte0JDurYosaMYGS6C2uwNu/UpfyfNk2xWiB
u+pYj+hYSZBbXTJhA2wyQ9nOd/wSr3L8zVDnduYXIwCPnibPKA3wv7Sy8gcgFh/ALDAyLy6vDZ59+d656tWg0qUJsJXyuw3RRq2rUljbFR0QiD
4879Zu1bEnWtBGpIV5ND3hfDvxiYTUCpmHu28z4e5xYwMZDpjq5tiLLYv1HH4XAgMBAAECggEAAVEtgJRredF1bG7mgmBeUiQwEiT1S7y57cIN
VmqlqGt1jL7DPVQ6fsmwXzaCcoeX9tOI6Dt7f7Gojdw4RwLNFSL6SntPM/xBOap3VBMb54hpw2mr33Fn3zjg9RyBxyx1inwARAw7U2EbGvhKuk
45/9XH0xYgFVoZUXxlYicp3iJ+NC+5wtF4QGeILV/V42RroNB74f0WEbSGzlI19NcYihSo2rgCClF4xv9x9NxariZ4aDpV+bMimgvXTgH2BXsa
2y+CUwkKAc1d2jVhs6REg5KGIW0Pd5qUYkOhoNekh9QDRVZHNkHME2cFMbezB5C+6yh+FMzHv6UihNbOu3yJoQKBgQDnd91FEfUKnP5VPuRWK3
rNehRDi/u1/xwbAR9owxXB0nscWezZLG18SBp5xtOnwFRTz03AMibu7NCFQbouDj2PtRViNLSRK1q5EyTOq6zuB8a/yJ+aIUlxtYCsaW2raiR4
grTqg0JbEMWMDmHeLJQfpRE5BgrBT0M/dEJxPnuGmQKBgQC/s39CWkJ+nI3bo6g0PR3bX6QiLclMhRjJgx7M+xfYWdJeDfoLeYUQFF2+inMGpc
5SQqCOV1F0W3jZCIDVGK+kFrtTVXwvG3LQ1DPBLV3SlhoQeNd8u4gkR7ESJIdd7eH4FPx/a7P40yf1crjMAkdj7H5joHOf3wpTMPepeEoILwKB
gHvbC6912GUBdKYwrQXe5isk88rhEKNmCqf4hdIM8YtxEScuhyn+N+eUvXYECiVtKLJf7v6011hpp3pmnTUfsZlAEF0oTqaPSFBYCg38luAXkS
X2OFDFFwOdV2jqUSCz/yfs6NnDurH3230CBSRZPjlgnkKhFQgzXYyKrTLjeD2hAoGBALqS0ECb6Cuh4s7psUNmWDCyHOTG+yvmPgGiA9AscUC3
6u5vW/TfCIplx/cyeFD3/p5BClJ+2WANxsg0Zm7/37IsDZVFld+jL1Pfs59HsBDM1gFCGzfirNXikIu/0Z+xbkQs6LJ6+GYr3LAeP40OirzN5x
S/jMkEIuBkwCXIVQUxAoGAFMlc0LScSzkRdlDfNqFH/t3DnxgzXSXVKqT0oDppXkOkiUH7zT98scYoJtMYsrqrsjzhlyekMyprftNcOm2S2qm5
fC4Vd5JkCrkO+zdf1EOARNIE9SeBDAhd6Rm+TN8h9m4mrFXTDGszwSXlzpzt2jGZSPhMl3qB6w8jWnqoiAA=`,
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
};
