// Style sheets imported by scripts; the bundler writes them beside the script.
declare module "*.css";
