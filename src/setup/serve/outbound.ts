// Where the worker's requests to others go. An address that somebody enters must not lead into the private network that this
// machine is part of, whatever its name resolves to: the runtime refuses to connect there, except for the hosts that the
// operator has named.

type Networks = {
  /** As in `localhost:9000`; without a port if it is the usual one. */
  readonly PRIVATE_HOSTS: readonly string[];
  readonly PUBLIC_NETWORK: Fetcher;
  readonly WHOLE_NETWORK: Fetcher;
};

export default {
  fetch(request, { PRIVATE_HOSTS, PUBLIC_NETWORK, WHOLE_NETWORK }) {
    const { host, hostname } = new URL(request.url);
    const isNamed = PRIVATE_HOSTS.includes(host) || PRIVATE_HOSTS.includes(hostname);
    return (isNamed ? WHOLE_NETWORK : PUBLIC_NETWORK).fetch(request);
  },
} satisfies ExportedHandler<Networks>;
