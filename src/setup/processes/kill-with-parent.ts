// Loaded into `wrangler dev` before anything else: kills the process group when its parent is gone,
// even if the parent was killed. Otherwise the runtime stays behind with the port and the state.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
