// The teams, people and integrations that the load is for.
import { api, type Target, type World } from "./load.ts";

/**
 * Creates teams with somebody on call on each layer, each with an integration.
 *
 * @param timeouts of the layers (seconds)
 */
export async function makeWorld(
  target: Target,
  accountUserId: string,
  teams: number,
  timeouts: readonly number[],
): Promise<World> {
  const types = await api(target, "/integration_types/webhook");
  const teamIds: string[] = [];
  const integrations: string[] = [];
  for (let n = 1; n <= teams; n += 1) {
    const policy = await api(target, "/escalation_policies", {
      name: `Policy ${n}`,
      escalation_layers_attributes: timeouts.map((timeout, i) => ({
        ...{ layer: i + 1, timeout, timeout_unit: "seconds" },
      })),
    });
    const team = await api(target, "/teams", {
      name: `Team ${n}`,
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
      escalation_policy_id: policy.id,
      drop_notifications: "none",
    });
    for (const [i] of timeouts.entries()) {
      const person = await api(target, "/account_users", {
        user_attributes: {
          name: `Person ${n} ${i}`,
          emails_attributes: [{ email: `person.${n}.${i}@example.com` }],
        },
      });
      await api(target, "/events", {
        start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
        end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
        ...{ layer: i + 1, time_zone: "UTC" },
        schedule_ids: [team.schedule_id],
        account_user_ids: [person.id],
      });
    }
    const integration = await api(target, "/integrations", {
      ...{ name: `Sender ${n}`, urgency: "high", integration_type_id: types.id },
      team_ids: [team.id],
    });
    teamIds.push(team.id ?? "");
    integrations.push(integration.prefix_id ?? "");
  }
  return { teamIds, integrations };
}
