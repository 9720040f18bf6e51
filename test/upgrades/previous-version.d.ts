// The committed bundle of the previous version; the build of the test's worker names its file.
declare module "previous-version" {
  const exports: Readonly<Record<string, unknown>>;
  export = exports;
}
