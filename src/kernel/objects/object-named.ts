// Durable Objects by name, where the deployment says that they live.

type Jurisdiction = "eu" | "fedramp" | "us";
const isJurisdiction = (text: string): text is Jurisdiction =>
  text === "eu" || text === "fedramp" || text === "us";

/** Where `npm run deploy` lets objects be created: the locations of databases. */
const LOCATIONS = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;
const isLocation = (text: string): text is (typeof LOCATIONS)[number] =>
  LOCATIONS.some((it) => it === text);

/**
 * The object of this name, where the deployment says that objects live: its jurisdiction is part of an object's id, its
 * location counts only when the object is first called.
 */
export function objectNamed<T extends Rpc.DurableObjectBranded | undefined>(
  env: Cloudflare.Env,
  namespace: DurableObjectNamespace<T>,
  name: string,
  location: string | null = null,
): DurableObjectStub<T> {
  const { JURISDICTION } = env;
  const objects = isJurisdiction(JURISDICTION) ? namespace.jurisdiction(JURISDICTION) : namespace;
  const locationHint = location ?? env.LOCATION_HINT;
  return isLocation(locationHint)
    ? objects.getByName(name, { locationHint })
    : objects.getByName(name);
}
