// Loaded into `wrangler dev` before anything else: when the process that started it is gone, however it went,
// the whole group ends. Without it a killed start leaves the runtime behind, holding the port and the state.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
