'use strict';
// A self-signed certificate for localhost and its key, made for these tests and used nowhere else.

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgL2EeFTt4rSDFfxFX
Y2evTz7rJT5oMY4h00ufg0IoLBKhRANCAARMn2tePIRLuPqZri/jo5nzOSamHd89
995l7+dPkehuEcem1aq7vIv5j1WSJWIct+LgdGeYK/CaVN3jDlRos6WF
-----END PRIVATE KEY-----
`;

const cert = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUI7q3o2QXv9wPCrRnWiqXlxnGxWYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDIwNTEzMloYDzIxMjYxMTA2
MjA1MTMyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARMn2tePIRLuPqZri/jo5nzOSamHd89995l7+dPkehuEcem1aq7vIv5
j1WSJWIct+LgdGeYK/CaVN3jDlRos6WFo1MwUTAdBgNVHQ4EFgQUNBTv3CZcfzKu
Pv/W4t57ji2R2O0wHwYDVR0jBBgwFoAUNBTv3CZcfzKuPv/W4t57ji2R2O0wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiA1gC1CSAhjSGdDwU7eC7r5
+FJKUat2TORszENdyX1hbgIhALTiF11puOteLwey+d33Z/aGk9ABIbenHtwdfyyN
ePF+
-----END CERTIFICATE-----
`;

module.exports = { cert, key };
