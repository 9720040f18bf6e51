// The tables of alerts, broadcasts, deliveries and logs. What an alert's object writes to the database
// with its state comes last: a backup reads the objects before, and those must not be ahead of it.
import type { TableDeclaration } from "./table-declaration.ts";

export const HISTORY_TABLES: readonly TableDeclaration[] = [
  {
    name: "alert_destinations",
    key: "account_id destination_id alert_id",
    plain: "account_id destination_id alert_id escalated",
  },
  {
    name: "alerts",
    key: "account_id id",
    plain:
      "id created_at updated_at account_id meta version title description status urgency " +
      "source_id source_log_id thirdparty_id dedup_keys dedup_count aggregated_into_id tags " +
      "destination_team_ids destination_router_ids destination_account_user_ids " +
      "additional_data incident incident_severity incident_message acknowledged_at " +
      "resolved_at snoozed_until merged_into_id next_step_at workflows timeline timeline_from " +
      "state",
  },
  {
    name: "broadcasts",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta title description tags status " +
      "response_requested response_requested_by destination_team_ids " +
      "destination_account_user_ids account_user_id",
  },
  {
    name: "broadcast_response_options",
    key: "id",
    plain: "id prefix_id created_at updated_at account_id broadcast_id value position",
    parents: { broadcast_id: "broadcasts" },
  },
  {
    name: "broadcast_responses",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id broadcast_id account_user_id " +
      "broadcast_response_option_id channel",
    parents: { broadcast_id: "broadcasts" },
  },
  {
    name: "bulk_operations",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id action team_id " +
      "filter status total_count changed_count unchanged_count refused_count refusals " +
      "finished_at",
  },
  {
    name: "change_schedules",
    key: "account_id schedule_id change_id",
    plain: "account_id schedule_id change_id",
  },
  {
    name: "changes",
    key: "account_id id",
    plain:
      "account_id id created_at actor_kind account_user_id actor_id verb kind record_id name " +
      "fields event_ids depends_on schedule_ids undoes_id undone_by_id irreversible corrects_past " +
      "record_before record_after before after",
  },
  {
    name: "comments",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta body commentable_type " +
      "commentable_id parent_id account_user_id created_by_name",
  },
  {
    name: "exercises",
    key: "account_id alert_id",
    plain: "account_id alert_id kind started_by_id team_id",
  },
  {
    name: "list_totals",
    key: "account_id name",
    plain: "account_id name total counted_to",
  },
  {
    name: "member_removals",
    key: "id",
    plain: "id account_id name",
  },
  {
    name: "on_call_changes",
    key: "id",
    plain: "id account_id kind version actors attributed",
  },
  {
    name: "removed_members",
    key: "account_user_id",
    plain: "account_user_id account_id user_id removed_at requested_at progress",
  },
  {
    name: "security_notices",
    key: "id",
    plain: "id created_at user_id to kind detail account_id by_user_id",
    parents: { user_id: "users" },
  },
  {
    name: "alert_timelines",
    key: "account_id alert_id first_sequence",
    plain: "account_id alert_id first_sequence entries",
  },
  {
    name: "notifications",
    key: "account_id account_user_id id",
    plain:
      "account_id account_user_id id owner_id created_at updated_at effect workflow_id layer " +
      "pass channel to event status reason provider_id attempts stage alert_version bundle " +
      "due_at claimed_until sent_at delivered_at failed_at closed_at",
  },
  {
    name: "deliveries",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta integration_id effect_id event " +
      "alert_id lane happened_at sequence status said attempts tries queued_at next_at " +
      "attempted_at response_code reason delivered_at failed_at",
    parents: { integration_id: "integrations" },
  },
  {
    name: "logs",
    key: "account_id id",
    plain:
      "id created_at updated_at account_id meta level owner_type owner_id message request " +
      "steps alert_id state",
  },
];
