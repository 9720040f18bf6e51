// Runs a built worker until it is killed, as `wrangler dev` does but without its inspector, to which the runtime would report
// every request and every logged line: a third of the CPU of some invocations, which no deployed worker uses.
import { unstable_startWorker as startWorker } from "wrangler";

export type WorkerStart = {
  /** The path of its configuration. */
  readonly config: string;
  readonly port: number;
  /** The folder of its storage. */
  readonly state: string;
  /** Override those of the configuration. */
  readonly variables: Readonly<Record<string, string>>;
};

const { config, port, state, variables } = JSON.parse(process.argv[2] ?? "") as WorkerStart;
const bindings = Object.fromEntries(
  Object.entries(variables).map(([name, value]) => [name, { type: "plain_text" as const, value }]),
);
await startWorker({
  ...{ config, bindings },
  dev: {
    ...{ inspector: false, remote: false, watch: false, persist: state },
    server: { hostname: "127.0.0.1", port },
  },
});
