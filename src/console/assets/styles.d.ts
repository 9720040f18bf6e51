// Style sheets that scripts import: the bundler puts them beside the script.
declare module "*.css";
