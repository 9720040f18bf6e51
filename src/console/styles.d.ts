// Style sheets imported by scripts, as text.
declare module "*.css" {
  const text: string;
  export default text;
}
