// Evaluates modules in a process of its own, and prints the CPU time that it took (ms).
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** What the runtime itself offers, as far as modules use it while they are evaluated. */
const RUNTIME = `data:text/javascript,${encodeURIComponent(
  "export class DurableObject {} export class RpcTarget {} export const env = {}; export const waitUntil = () => {};",
)}`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith("cloudflare:")
      ? { url: RUNTIME, format: "module", shortCircuit: true }
      : next(specifier, context),
});

const before = process.cpuUsage();
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1_000);
process.exit(0);
