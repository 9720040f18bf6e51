// A fake AWS SNS: messages signed with a test key, whose certificate is served at the URL of SNS.
import { createSign } from "node:crypto";

export const CERTIFICATE_URL =
  "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123.pem";
export const TOPIC = "arn:aws:sns:eu-central-1:123456789012:alarms";

/** Self-signed, generated for these tests only. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDDzCCAfegAwIBAgIUXR/CsLBbYJZpRn5DV4VeyUJ4Cy0wDQYJKoZIhvcNAQEL
BQAwFjEUMBIGA1UEAwwLc25zLmV4YW1wbGUwIBcNMjYxMTIxMTIzMTE0WhgPMjEy
NjEwMjgxMjMxMTRaMBYxFDASBgNVBAMMC3Nucy5leGFtcGxlMIIBIjANBgkqhkiG
9w0BAQEFAAOCAQ8AMIIBCgKCAQEArqbSVNhW2M3BhjV0an1j3acOesWogTaCUEUv
Q5G/raSj3H6/cx0ZKVqyAfmhok5WcCJe8l4pKQX7uImDQ7bifXCYPnN58LlanN1d
x2tDAaG0NfetPa/4L/TMym0whQcRUI6K8p4VasqOhu5GhsXmHSpzJS58nOWDm2+H
CC9L77Pu9MpTTOMR9cLZzOq7ebsw81qAQMRxaztGt/FDA0pDiNivd1tdkT3rgdmd
XTs378lPUFZ8OUpqRPqlSrqkqQMuwGReepS2ZDPm3b1/tNuALCR8StZLaCJwCWlm
Mst2UT3EP84Yj6G0m68HDHgrZNnj6KM++GZmql+tSPg7XgGIYwIDAQABo1MwUTAd
BgNVHQ4EFgQUd5bzHwgs+8dkzivxLh4SzKwh+u4wHwYDVR0jBBgwFoAUd5bzHwgs
+8dkzivxLh4SzKwh+u4wDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOC
AQEAMDU4Hq84Y04y/UQugn8xZeHeMRYzO0OCTk9CWYMspYLacvRVvlHIXQzT5jet
L2m2dsq25LfkWx2xfkG6IEzXIpo4ALYpIBL0AdcLbfmeGRmqspmXIk4NrCewNeo5
61UjBxoCR4lddzPMuP+lpTWcY3/+zd09BXDADa2RQdsg0RL4qxbsXKLOz+sWVpS8
RMM8ovUvnIodGbnlAkIf/z6W166/+N8XBkIt471fuib4gnO86V0lPjurw+Llyw5O
njQj0JSFzzQ9OV4Z40C8kzOgziCSY9k1CR/jCWQX1qD2ud5VRB2Lj7CFxU6X2TYO
fZhrtHUNYfet4qGuUEIpFfvTZw==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCuptJU2FbYzcGG
NXRqfWPdpw56xaiBNoJQRS9Dkb+tpKPcfr9zHRkpWrIB+aGiTlZwIl7yXikpBfu4
iYNDtuJ9cJg+c3nwuVqc3V3Ha0MBobQ19609r/gv9MzKbTCFBxFQjorynhVqyo6G
7kaGxeYdKnMlLnyc5YObb4cIL0vvs+70ylNM4xH1wtnM6rt5uzDzWoBAxHFrO0a3
8UMDSkOI2K93W12RPeuB2Z1dOzfvyU9QVnw5SmpE+qVKuqSpAy7AZF56lLZkM+bd
vX+024AsJHxK1ktoInAJaWYyy3ZRPcQ/zhiPobSbrwcMeCtk2ePooz74ZmaqX61I
+DteAYhjAgMBAAECggEAG2Jn1KAujy7v2vRzDPwdK6of0JXrvlrcIuw+JW5Aa4sc
RZyQCzjISF4tTrb5UNgkoHobK2MijrPz90gvJJppN+REKCKgv4294fOpr8onMaXM
+ltGjBy/zFEqHSFIEXZSu4VQzwraGSpVH7NTq+/IDXxUR+5ai+/xa0PuRxUXZygr
4+IG8iEJRb5omU36Or690MNmzxrA0BV0lNn8sfWtRZcFINfFbQvQq3VJXOO/HpCx
7gxQ0C3aqxsyOge2nbxqyNr8PmboeeV7k2V0/5qwEX6xXAlTHYAl0GRD1sFG3RT5
VdD/+d1FisxcIt4A1x5DxDqzsxF4LCBUi8X+LdqJgQKBgQDTeSAqwM5p95RHW5O0
Wyg7bZT/ZpcCFoTQkMejjgQr/vnZApTHJuBzPWLO/1oSvwt++q0MD75aYPGhw0/m
wXNOI7p7Lu3jr7ENyleE3U0WrCvk7llOLeeJ0OqYDAj+IX4k/BiLYboo7gYrPtD+
uQSSZ9nXhx/lqj/O9PsCcImvgQKBgQDTbO9ZhqvAM4DYrdr+jEuFIeP9nIImGo4t
cyDdZ7hi3kfArF32r/UM9gs0LDeZ0O9+hv3PEVxkGvrK8CGV+HXcDe982CbrZgp5
Wv0aiKPqdwEWBDnP5ybXPjG6Qg2Lo35OkquanneF9pk1+UnbvShTnM1PER2y8sRZ
4GFXAm9p4wKBgQCfqSuoG7m8N7gzx+hUmx5c//cmfQY2BVpxPV39FhQAQ5nPRiud
0LRVTVt0fUY8MRE05X4RRTGqetb0EsoYpqWvsTnyFxR0ewlqKAK7xXmWTJc3WN0E
MZRGcP0tnqiLdi4PLmY5lac/j7YIoHyaVIYnI1FNcC+c7lUOo9d/mAfcAQKBgFeM
amiGDaTfLuGKzH5Plg4hBInGP1aL9If5fohwJLg8FzY/qgE2x6CAWg9WqAd3r1ST
jZIrPDjvux5B5YZ2hkeDNcJat3MOpBOwi9Jq9oVmlfqJ8W6X50uGI41fQMCsCOd8
cLbsG85LWRIyklT9tS86ZQHysnuhb5FQCr6+8WfFAoGAE3j1SDdYvAmjh2RGJEs4
O+/9OSm8JMsI2V/HMijQhhhBM7vlF6Hzt++k40s1N2k+g6UWYzXjGazphuTlV5uo
+VnS6gJ4bhG4zIi7CfPdx7+hl1wF3y5P/5G6TPTqxi9it5R1ETuE738JxfW939VG
uPikROANKLsgSGOGxrytEcc=
-----END PRIVATE KEY-----`;
const FORGED_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQD4vKfjG/AetHip
w5ATxPXAeOqpOp//y2O5NhDM3DuXBBDRqG0NGioDgx5W8rvnn7wDVQh2G8t2JuUv
sWB6qUBBd8/PxniftTdIZ2gvPXWOh5vDo0PFwdA7EuiKSctkUez0nIU2Sk9iZghb
uZXBPx8F7QzUG6JftQVAhOMrNl4996s8pDWgh4WW6TmHobuOPsDPCmqi7s5fJn/o
zxPTRpxhwnIoa7EWI9i+KCZnVI6qH3En6MTKi6cDcC2myoaXm7bM0Ugum3YDd6e/
InkEuJrDsEUm7G8G+P4I+T6ytJElqOcSiqdKh5fbzTqfHg1lmC9O/z9uFTV9qpk+
iDU4lqtrAgMBAAECggEAJr2/imx+DFJAnvRiOuoI+tb6eawzYnRrzlug5z+AGofc
FMOeZJWIKK7h6Vn6MVvcPUqfvEGdAYSSWsjORZyZ8Ph3yh1YCUwA1cqhXAY/CpmN
hb2mnyUOST0rMerHfpMSDJFaYDfXwHQy5hJ0RDqQGuyufFTnh++aZ0+rUD4yFIVx
rXFz7m8xmBu4DL4uNkVtVtec7nnw7ay/w6slOA34uQJSpZIpI6Ud2O+p6RiVjQ4X
/Wh2Jbj4ChcOlfw5IJovPDkqF3/0XYTQtm29tTZr7qZFXOPPvD09m441EB1FIfCs
N81BEwlw86lru23VksZrbWEEy1/tTp+2EUeOZo8qOQKBgQD/9Hr3OPKGUBjtkjKn
RUHg88Vyke+BUIdQ4xJb9SgLFbQzQdu9v6XiJ/AQ/viEL+dXy8ewh7M6PyFwPHLl
eBbkVPM3irh5k+XOaApzezUPxjXRX38mMuDFQKJ2Y6qXPLCyQ8qH+E4Lxutl7H4v
p0qqMqMUrX/wHYwwJukJJaAJUwKBgQD4x9nB0xUkArosK9nRszJHVzn9ZMD30jnG
njxmuupYSqmfWM4BNjVLl7+nvZe6B/ckS2b/6rzkuJfODf3RB49cEdvTNB5HEsiB
EQKTPPFM11PBDslZOrIjntl07G4gGdrFetwjrYBo7g/nnI2CAxI9QA/rsTqUH8bQ
skJsXNvaiQKBgF4VZeXeHvfUFXWuWcQ2pwKjWJ7Gmf00tqi67xKySOfaMITu3nEf
M0CwYYQ91OfyG92f4GU5XF46unXhInLK8882kriF202FWeHHSKAuV9DWkQ3HRpup
9AlNuuo9tIUnH+RHGvlkAnw9wGWUysWFfuKU/nEpXW/LzK4ef2aHWA5VAoGBANii
xzfmRNmH2nDOeq4F2nmPNns2emcTVKZlcnmOuLTLx2twHGuntb8u1IEQMwiXGRos
4vNliLmvGNohCu40JB1rm74N+3OuopTpqBFpF0LvmwpZgvJFj4w/LmOH4tnnSb9/
niUfV9uHuqfYhs05OW/G0lZOjZEhHrLrF7ZfIj/pAoGAZ9jBfAowh89J+zHqtKJX
Hip6vYgm1ZUvZWJNNE80n12Jx0knenZ+uDdnRJaBnaYsIRY76FxMruav/eCZWLlC
3dGwqX0Ik3xYlVHYmOheG3K9MztIA3dWUgPx6bbAKmVxp9I+A0tFeqfZOwYD99IC
vrCItXcZo1s/cwcdTbQVbMA=
-----END PRIVATE KEY-----`;

const NAMES = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
} as const;

let messages = 0;

/** Creates a signed message; `forged` signs it with a key that does not match the certificate. */
export function snsMessage(
  fields: Record<string, string>,
  options: { forged?: boolean; version?: "1" | "2" } = {},
): Record<string, string> {
  messages += 1;
  const { forged = false, version = "2" } = options;
  const message: Record<string, string> = {
    Type: "Notification",
    MessageId: `message-${messages}-${Date.now()}`,
    TopicArn: TOPIC,
    Timestamp: new Date().toISOString(),
    SigningCertURL: CERTIFICATE_URL,
    ...fields,
  };
  const names = NAMES[message.Type as keyof typeof NAMES];
  const text = names
    .filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
  const sign = createSign(version === "2" ? "RSA-SHA256" : "RSA-SHA1").update(text);
  const Signature = sign.sign(forged ? FORGED_KEY : KEY, "base64");
  return { ...message, SignatureVersion: version, Signature };
}
