// A team with one person on call or nobody, and an integration whose destination is the team.
import type { Server } from "./server.ts";

/** Creates them through the API. */
export async function makeWorld(
  { accountUserId, api, get }: Server,
  onCall: "one person on call" | "nobody on call" = "one person on call",
) {
  const people = [accountUserId];
  const team = await api("/teams", {
    name: "Bench",
    member_account_user_ids: people,
    admin_account_user_ids: people,
    // No notice of the alerts that nobody answers: it would count as a mail of the storm.
    drop_notifications: "none",
  });
  if (onCall === "one person on call") {
    await api("/events", {
      start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
      end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [team.schedule_id],
      account_user_ids: people,
    });
  }
  const webhook = await get<{ id: string }>("/integration_types/webhook");
  const person = await get<{ prefix_id: string }>(`/account_users/${accountUserId}`);
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
    /** The names of the objects of the integration and of the person. */
    integration: integration.prefix_id ?? "",
    person: person.prefix_id,
    intake: `/integration/${integration.prefix_id}`,
  };
}
