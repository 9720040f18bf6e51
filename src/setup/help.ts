// `-- --help` of the npm commands.

/** Prints the usage and exits if the command line asks for help. */
export function exitForHelp(usage: string): void {
  const args = process.argv.slice(2);
  if (!args.includes("--help") && !args.includes("-h")) return;
  console.log(usage);
  process.exit(0);
}
