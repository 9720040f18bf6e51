// What of the API's records the pages read. The reference has them whole.

type Record = { readonly id: string; readonly prefix_id: string; readonly created_at: string };

export type Alert = Record & {
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly urgency: string;
  readonly tags: readonly string[];
  readonly source_id: string | null;
  readonly source_type: string | null;
  readonly source_log_id: string | null;
  readonly thirdparty_id: string | null;
  readonly dedup_count: number;
  readonly aggregated_into_id: string | null;
  readonly destination_team_ids: readonly string[];
  readonly destination_router_ids: readonly string[];
  readonly destination_account_user_ids: readonly string[];
  readonly additional_data: readonly {
    readonly format: "text" | "link" | "img" | "email" | "phone" | "datetime";
    readonly label: string;
    readonly value: string;
  }[];
  readonly meta: Readonly<{ [key: string]: unknown }>;
  readonly incident: boolean;
  readonly incident_severity: string | null;
  readonly incident_message: string | null;
  readonly acknowledged_at: string | null;
  readonly resolved_at: string | null;
  readonly updated_at: string;
};

export type Workflow = Record & {
  readonly destination_type: string;
  readonly destination_id: string;
  readonly state: string;
  readonly layer: number;
  readonly pass: number;
  readonly account_user_ids: readonly string[];
  readonly next_step_at: string | null;
};

export type Notification = Record & {
  readonly account_user_id: string;
  readonly channel: string;
  readonly to: string;
  readonly event: string;
  readonly status: string;
  readonly reason: string | null;
  readonly layer: number | null;
  readonly queued_at: string;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly failed_at: string | null;
};

export type Comment = Record & {
  readonly body: string;
  readonly account_user_id: string | null;
  readonly created_by_name: string | null;
};

export type Log = Record & {
  readonly level: string;
  readonly details: {
    readonly message: string;
    readonly sublogs: readonly {
      readonly time: string;
      readonly level: string;
      readonly message: string;
    }[];
  };
};

type Email = {
  readonly id: string | null;
  readonly email: string;
  readonly primary: boolean;
  readonly blocked: boolean;
  readonly verified: boolean;
};

export type Phone = {
  readonly id: string;
  readonly phone: string;
  readonly primary: boolean;
  readonly country: string | null;
  readonly blocked: boolean;
  readonly confirmation_method: "sms" | "voice";
  readonly confirmed: boolean;
};

export type User = {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly emails: readonly Email[];
  readonly phones: readonly Phone[];
  readonly notify_push: boolean;
  readonly notify_email: boolean;
  readonly notify_sms: boolean;
  readonly notify_voice: boolean;
};

/** A member of the account. */
export type Person = Record & {
  readonly user: User;
  readonly state?: string;
  /** Null until their first password or invitation is sent. */
  readonly invited_at?: string | null;
  readonly roles: {
    readonly admin: boolean;
    readonly billing: boolean;
    readonly broadcaster: boolean;
    readonly communicator: boolean;
  };
  readonly notification_rule_id: string | null;
};

export type Team = Record & {
  readonly name: string;
  readonly schedule_id: string | null;
  readonly escalation_policy_id: string | null;
  readonly member_account_user_ids: readonly string[];
  readonly admin_account_user_ids: readonly string[];
};

export type Policy = Record & {
  readonly name: string;
  readonly repeat: number;
  readonly reassign_team_ids: readonly string[];
  readonly reassign_account_user_ids: readonly string[];
  readonly escalation_layers: readonly {
    readonly layer: number;
    readonly timeout: number;
    readonly timeout_unit: string;
    readonly color_hex: string | null;
  }[];
};

export type Named = Record & { readonly name: string };

/** One turn of duty, as `current_oncall` and `window_events` show it. */
export type Turn = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly event_id: string;
  readonly schedule_id: string;
  readonly attendees: readonly { readonly attendee_id: string; readonly position: number }[];
};

/** Who is on call for one team in a window, and what nobody covers. */
export type TeamOnCall = {
  readonly team_id: string;
  readonly entries: readonly Turn[];
  readonly layers: readonly {
    readonly layer: number;
    readonly gaps: readonly { readonly start_time: string; readonly end_time: string }[];
  }[];
};

/** What happens at one of an alert's destinations when nobody answers. */
export type NextStep = {
  readonly destination_id: string;
  readonly pass: number;
  readonly account_user_ids: readonly string[];
  readonly at: string;
  readonly next: {
    readonly layer: number;
    readonly pass: number;
    readonly account_user_ids: readonly string[];
  } | null;
  readonly reassign_team_ids: readonly string[];
  readonly reassign_account_user_ids: readonly string[];
};

export type PushSubscription = Record & { readonly name: string; readonly endpoint: string };

export type CalendarFeed = Record & {
  readonly name: string;
  readonly source_id: string;
  readonly url?: string;
};
