// Integrations whose destination is one team, with one person on call.
import { api, type Target } from "../crash/load/load.ts";
import { makeWorld } from "../crash/load/world.ts";

/** How long the person has to answer (seconds): longer than a measurement. */
const TIMEOUT = 600;

/** Creates them through the API; returns the paths that take their events. */
export async function makeIntegrations(
  target: Target,
  accountUserId: string,
  count: number,
): Promise<string[]> {
  const { teamIds } = await makeWorld(target, accountUserId, 1, [TIMEOUT]);
  const { id } = await api(target, "/integration_types/webhook");
  const paths: string[] = [];
  while (paths.length < count) {
    const integration = await api(target, "/integrations", {
      ...{ name: `Bench ${paths.length}`, urgency: "high", integration_type_id: id },
      team_ids: teamIds,
    });
    paths.push(`/integration/${integration.prefix_id}`);
  }
  return paths;
}
