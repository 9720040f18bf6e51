// Who sent a request: the peer, or whom a proxy names that the operator has named. Pure.
import { BlockList, isIP, isIPv4 } from "node:net";

/** An address without the zone, brackets, port or mapping that it may have; null for anything else. */
function bareAddress(text: string): string | null {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const bare = (bracketed ?? withPort ?? text).replace(/%.*$/, "");
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(mapped) === 0 ? null : mapped;
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/** The addresses and networks of a setting; null if one is neither. Without any, no proxy is believed. */
export function parseProxies(setting: string): BlockList | null {
  const proxies = new BlockList();
  for (const entry of setting.split(/[\s,]+/).filter((it) => it !== "")) {
    const [address = "", bits] = entry.split("/");
    if (isIP(address) === 0) return null;
    if (bits === undefined) {
      proxies.addAddress(address, familyOf(address));
      continue;
    }
    const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
    if (!isPrefix) return null;
    proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return proxies;
}

/**
 * The address of the client.
 *
 * Each proxy appends the address of its own peer to `X-Forwarded-For`, so that only the part after the last address that
 * no named proxy has added is true: it is read from its end.
 *
 * @param peer the other end of the connection
 * @param forwardedFor the header, as it came
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: BlockList,
): string {
  let client = bareAddress(peer) ?? "";
  const hops = (forwardedFor ?? "").split(",").map((it) => it.trim());
  while (client !== "" && proxies.check(client, familyOf(client))) {
    const before = bareAddress(hops.pop() ?? "");
    if (before === null) break;
    client = before;
  }
  return client;
}
