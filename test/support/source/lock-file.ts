// What `npm ci` holds against a lock file: a platform's binary that is named and not there.
export type LockFile = {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

type LockedPackage = {
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** Where a dependency of the package at `path` may lie, nearest first. */
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
 * The optional dependencies that packages of the lock file name and the lock file does not hold, or holds in
 * another version than the exact one asked for. Each as `path needs name@range`.
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
