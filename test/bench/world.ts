// A team with one person on call, and an integration whose destination is the team.
import type { Server } from "./server.ts";

/** Creates them through the API. */
export async function makeWorld({ url, headers, accountUserId, api }: Server) {
  const people = [accountUserId];
  const team = await api("/teams", {
    name: "Bench",
    member_account_user_ids: people,
    admin_account_user_ids: people,
  });
  await api("/events", {
    start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
    end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [team.schedule_id],
    account_user_ids: people,
  });
  const type = await fetch(`${url}/api/v4/integration_types/webhook`, { headers });
  const webhook = (await type.json()) as { id: string };
  const integration = await api("/integrations", {
    name: "Bench",
    urgency: "high",
    integration_type_id: webhook.id,
    team_ids: [team.id],
  });
  return {
    people,
    teamId: team.id ?? "",
    integrationId: integration.id ?? "",
    intake: `/integration/${integration.prefix_id}`,
  };
}
