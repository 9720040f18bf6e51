// Validation of user-supplied URLs that we call: https, a public host name, no internal target.
import { describe, expect, test } from "vitest";
import { allowedHosts, outboundUrlFault } from "../../../src/domain/integrations/outbound-url.ts";

const none = allowedHosts("");
const HTTPS = "must be an https URL";
const LITERAL = "must name a host, not an IP address";
const PORT = "must have the port 443, or one from 1024 on";
const INTERNAL = "must name a host of the public internet";

describe("a user-supplied URL", () => {
  test.each([
    ["https://hooks.example.com/a?b=c", null],
    ["https://hooks.example.com:8443/", null],
    ["https://xn--bcher-kva.example/", null],
    ["https://bücher.example/", null],
    ["http://hooks.example.com/", HTTPS],
    ["ftp://hooks.example.com/", HTTPS],
    ["javascript:alert(1)", HTTPS],
    ["hooks.example.com", HTTPS],
    ["", HTTPS],
    [`https://hooks.example.com/${"a".repeat(2_048)}`, HTTPS],
    ["https://user:word@hooks.example.com/", "must not have a user name or a password"],
    ["https://127.0.0.1/", LITERAL],
    ["https://10.0.0.1:8443/", LITERAL],
    ["https://8.8.8.8/", LITERAL],
    ["https://2130706433/", LITERAL],
    ["https://0x7f.1/", LITERAL],
    ["https://0177.0.0.1/", LITERAL],
    ["https://127.0.0.1./", LITERAL],
    ["https://[::1]/", LITERAL],
    ["https://[::ffff:10.0.0.1]/", LITERAL],
    ["https://localhost/", INTERNAL],
    ["https://LOCALHOST./", INTERNAL],
    ["https://a.localhost/", INTERNAL],
    ["https://metadata.google.internal/", INTERNAL],
    ["https://printer.local/", INTERNAL],
    ["https://router.lan/", INTERNAL],
    ["https://intranet/", INTERNAL],
    ["https://vault.svc/", INTERNAL],
    ["https://vault.consul/", INTERNAL],
    ["https://vault.corp/", INTERNAL],
    ["https://vault.home/", INTERNAL],
    ["https://vault.private/", INTERNAL],
    ["https://vault.onion/", INTERNAL],
    ["https://127.0.0.1.nip.io/", INTERNAL],
    ["https://a.localtest.me/", INTERNAL],
    ["https://169.254.169.254.sslip.io/", INTERNAL],
    ["https://hooks.example.com:443/", null],
    ["https://hooks.example.com:22/", PORT],
    ["https://hooks.example.com:25/", PORT],
    ["https://notlocal.example/", null],
    ["https://internal.example/", null],
  ])("%s: %s", (address, fault) => {
    expect(outboundUrlFault(address, none)).toBe(fault);
  });

  test("may have a host that the deployment allows, and no other internal one", () => {
    const allowed = allowedHosts(" localhost:9000, 10.0.0.1 ,");
    expect(outboundUrlFault("http://localhost:9000/hook", allowed)).toBeNull();
    expect(outboundUrlFault("https://LOCALHOST:9000/", allowed)).toBeNull();
    expect(outboundUrlFault("http://10.0.0.1:1234/", allowed)).toBeNull();
    expect(outboundUrlFault("http://localhost:9001/", allowed)).toBe(HTTPS);
    expect(outboundUrlFault("https://localhost/", allowed)).toBe(INTERNAL);
    expect(outboundUrlFault("ftp://10.0.0.1/", allowed)).toBe(HTTPS);
    expect(allowedHosts(undefined).size).toBe(0);
  });
});
