// The words of an account's readiness: the steps of its setup, and how a person can be reached.

/** In the order of a first setup. */
export const SETUP_STEPS = ["team", "on_call", "policy", "integration", "page", "answer"] as const;

/** From best to worst. */
export const PERSON_REACHES = ["wakeable", "mail_only", "unreachable"] as const;
export type PersonReach = (typeof PERSON_REACHES)[number];

export const PEOPLE_PROBLEMS = [
  "pending",
  "never_signed_in",
  "blocked_email",
  "blocked_phone",
  "unconfirmed_phone",
  "push_ended",
] as const;
export type PersonProblem = (typeof PEOPLE_PROBLEMS)[number];
