// Finds what makes `npm ci` fail: a platform-specific optional dependency missing in the lock file.
export type LockFile = {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

type LockedPackage = {
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** The places where a dependency of the package at `path` can be, nearest first. */
function placesFor(path: string, name: string): string[] {
  const places: string[] = [];
  let folder = path;
  while (folder !== "") {
    places.push(`${folder}/node_modules/${name}`);
    const above = folder.lastIndexOf("/node_modules/");
    folder = above < 0 ? "" : folder.slice(0, above);
  }
  return [...places, `node_modules/${name}`];
}

/**
 * The optional dependencies that the lock file does not contain, or not in the required exact
 * version. Each as `path needs name@range`.
 */
export function missingOptionalDependencies({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => {
        const place = placesFor(path, name).find((it) => packages[it] !== undefined);
        const version = place && packages[place]?.version;
        return !version || (/^\d+\.\d+\.\d+/.test(range) && version !== range);
      })
      .map(([name, range]) => `${path} needs ${name}@${range}`),
  );
}
