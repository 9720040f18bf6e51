// The tables of accounts, people and configuration, parents before their children.
import type { TableDeclaration } from "./table-declaration.ts";

export const CONFIGURATION_TABLES: readonly TableDeclaration[] = [
  {
    name: "users",
    key: "id",
    plain:
      "id prefix_id created_at updated_at name time_zone preferred_language notify_push " +
      "notify_email notify_sms notify_voice notify_voice_repeat shift_notices shift_reminders " +
      "shift_digest_day shift_digest_time_of_day last_sign_in_at password_expired first_password_until meta",
    secret: "password_hash",
  },
  {
    name: "account_users",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta user_id state invited_name " +
      "invited_email admin billing broadcaster communicator notification_rule_id " +
      "readiness_digest push_ended_at",
    parents: { user_id: "users" },
  },
  {
    name: "absence_calendars",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id name region " +
      "company_holidays last_read_at last_error failing_since failures next_read_at " +
      "complete_at etag last_modified",
    secret: "url",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "accounts",
    key: "id",
    plain:
      "id prefix_id created_at updated_at name page_answered_at readiness_digest integrations_by_id meta",
  },
  {
    name: "api_keys",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id name read_only " +
      "self_made",
    secret: "key_hash",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "schedules",
    key: "id",
    plain: "id prefix_id created_at updated_at account_id meta name",
  },
  {
    name: "escalation_policies",
    key: "id",
    plain: "id prefix_id created_at updated_at account_id meta name repeat",
  },
  {
    name: "teams",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name notes schedule_id " +
      "escalation_policy_id drop_notifications handoff_notifications gap_notifications " +
      "attachments",
    parents: { schedule_id: "schedules", escalation_policy_id: "escalation_policies" },
  },
  {
    name: "calendar_feeds",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name account_user_id schedule_id " +
      "team_id person_id",
    secret: "secret_hash",
    parents: {
      account_user_id: "account_users",
      schedule_id: "schedules",
      team_id: "teams",
      person_id: "account_users",
    },
  },
  {
    name: "calendar_imports",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta schedule_id name layer last_read_at " +
      "last_error failing_since failures next_read_at complete_at etag last_modified " +
      "shift_count unmatched imported_until",
    secret: "url",
    parents: { schedule_id: "schedules" },
  },
  {
    name: "calendar_import_texts",
    key: "import_id",
    plain: "import_id account_id ical",
    parents: { import_id: "calendar_imports" },
  },
  {
    name: "channel_addresses",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id channel name " +
      "confirmed_at code_sent_at code_attempts failing_since failure",
    secret: "settings code_hash",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "chat_accounts",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id product workspace_id " +
      "chat_user_id name",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "company_holidays",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name start_date end_date " +
      "repeats_yearly",
  },
  {
    name: "absences",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id start_at end_at " +
      "schedule_ids reason instead covering_account_user_id decided_at serves_from released " +
      "absence_calendar_id calendar_key return_of asking_status asked_at asking_expires_at " +
      "asking_ended_at return_start_at return_end_at hours",
    parents: {
      covering_account_user_id: "account_users",
      absence_calendar_id: "absence_calendars",
    },
  },
  {
    name: "absence_people",
    key: "absence_id account_user_id",
    plain: "account_id absence_id account_user_id position answer answered_at channel",
    parents: { absence_id: "absences" },
  },
  {
    name: "cover_request_people",
    key: "request_id account_user_id",
    plain: "account_id request_id account_user_id position answer answered_at channel",
  },
  {
    name: "cover_requests",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id start_at end_at " +
      "schedule_ids return_start_at return_end_at reason status expires_at ended_at " +
      "accepted_by cover_ids hours",
  },
  {
    name: "covers",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id start_at end_at " +
      "covered_by covering_account_user_id schedule_ids reason decided_at serves_from released",
    parents: { account_user_id: "account_users", covering_account_user_id: "account_users" },
  },
  {
    name: "escalation_layers",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id escalation_policy_id layer timeout " +
      "timeout_unit color_hex",
    parents: { escalation_policy_id: "escalation_policies" },
  },
  {
    name: "escalation_reassignments",
    key: "escalation_policy_id receiver_type receiver_id",
    plain: "account_id escalation_policy_id receiver_type receiver_id position",
    parents: { escalation_policy_id: "escalation_policies" },
  },
  {
    name: "events",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta parent_id overridden_start_at " +
      "start_at end_at layer time_zone repeat frequency frequency_unit days_of_week " +
      "repeat_end_at cut_at begins_at continues rotation turn_offset empty_positions " +
      "restrictions priority import_id import_key cover_id leaves_empty skip_unavailable " +
      "absent_account_user_id skip_changes",
  },
  {
    name: "event_attendees",
    key: "id",
    plain: "id account_id event_id account_user_id position",
    parents: { event_id: "events", account_user_id: "account_users" },
  },
  {
    name: "event_exceptions",
    key: "id",
    plain: "id account_id event_id start_at",
    parents: { event_id: "events" },
  },
  {
    name: "event_rosters",
    key: "event_id until_at",
    plain:
      "account_id event_id until_at active_until rotation turn_offset attendees " +
      "empty_positions cuts",
    parents: { event_id: "events" },
  },
  {
    name: "event_schedules",
    key: "event_id schedule_id",
    plain: "account_id schedule_id event_id active_until",
    parents: { schedule_id: "schedules", event_id: "events" },
  },
  {
    name: "integrations",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name enabled urgency " +
      "integration_type accepts_id accepts_get address_version previous_address_until " +
      "region received_at not_understood_at",
    // Options may have the URL of a third party's webhook, which is a credential.
    secret: "options intake_key secrets",
  },
  {
    name: "integration_receivers",
    key: "integration_id receiver_type receiver_id",
    plain: "account_id integration_id receiver_type receiver_id position",
    parents: { integration_id: "integrations" },
  },
  {
    name: "chat_messages",
    key: "account_id alert_id integration_id",
    plain: "account_id integration_id alert_id channel message_id",
    parents: { integration_id: "integrations" },
  },
  {
    name: "maintenance_windows",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name description start_at end_at " +
      "time_zone",
  },
  {
    name: "maintenance_window_integrations",
    key: "maintenance_window_id integration_id",
    plain: "account_id maintenance_window_id integration_id",
    parents: { maintenance_window_id: "maintenance_windows", integration_id: "integrations" },
  },
  {
    name: "notification_rules",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id name enabled rules types",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "past_absences",
    key: "account_id end_at absence_id start_at",
    plain:
      "account_id absence_id account_user_id start_at end_at instead covering_account_user_id " +
      "schedule_ids decided_at released since",
  },
  {
    name: "past_events",
    key: "id",
    plain:
      "id account_id schedule_id root_id from_at until_at active_until events change_id " +
      "corrected_by_id",
    parents: { schedule_id: "schedules" },
  },
  {
    name: "push_subscriptions",
    key: "id",
    plain: "id prefix_id created_at updated_at account_id meta account_user_id name seen_at",
    secret: "endpoint p256dh auth",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "routers",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta name enabled rules " +
      "default_receiver_type default_receiver_id",
  },
  {
    name: "router_receivers",
    key: "router_id receiver_type receiver_id",
    plain: "account_id router_id receiver_type receiver_id",
    parents: { router_id: "routers" },
  },
  {
    name: "saved_filters",
    key: "id",
    plain: "id prefix_id created_at updated_at account_id meta account_user_id name filter",
    parents: { account_user_id: "account_users" },
  },
  {
    name: "team_people",
    key: "team_id relation account_user_id",
    plain: "account_id team_id relation account_user_id position",
    parents: { team_id: "teams", account_user_id: "account_users" },
  },
  {
    name: "unavailabilities",
    key: "id",
    plain:
      "id prefix_id created_at updated_at account_id meta account_user_id start_at end_at " +
      "serves_from reason absence_calendar_id calendar_key",
    parents: { account_user_id: "account_users", absence_calendar_id: "absence_calendars" },
  },
  {
    name: "user_emails",
    key: "id",
    plain:
      "id prefix_id created_at updated_at user_id email primary blocked_at verified_at " +
      "account_id",
    parents: { user_id: "users" },
  },
  {
    name: "user_identities",
    key: "issuer subject",
    plain: "issuer subject user_id created_at",
    parents: { user_id: "users" },
  },
  {
    name: "user_phones",
    key: "id",
    plain:
      "id prefix_id created_at updated_at user_id phone primary country blocked " +
      "confirmation_method confirmed_at confirmed_by_self account_id code_sent_at " +
      "code_attempts",
    secret: "code_hash",
    parents: { user_id: "users" },
  },
];
