// Who acts: the author of every change. Permission, history and notices read it.

type OfAccount = { readonly accountId: string };

/** A person, as a member of the account. */
type AsMember = OfAccount & { readonly accountUserId: string; readonly name: string };

type Roles = {
  readonly admin: boolean;
  readonly billing: boolean;
  readonly broadcaster: boolean;
  readonly communicator: boolean;
};

/** What an API key or a session says about its person. */
type Authenticated = AsMember & {
  readonly userId: string;
  /** Id of the API key or session; rate limits and idempotency keys are scoped to it. */
  readonly credentialId: string;
  /** True for a session, and for a key that the person created themself. */
  readonly isOwnCredential: boolean;
  readonly readOnly: boolean;
  readonly roles: Roles;
};

/** A member with an API key, or signed in to the console: whoever calls the API. */
export type MemberActor = Authenticated & { readonly kind: "key" | "session" };

/** A member who follows the signed link of a message. */
export type LinkActor = AsMember & { readonly kind: "link" };

/** A member who answers by SMS or on a call. */
export type PhoneActor = AsMember & { readonly kind: "phone" };

/** An integration's sender. */
type IntegrationActor = OfAccount & {
  readonly kind: "integration";
  readonly integrationId: string;
  readonly name: string;
};

/** The service itself: sweeps, retention, timers. */
type SystemActor = OfAccount & { readonly kind: "system" };

export type Actor = MemberActor | LinkActor | PhoneActor | IntegrationActor | SystemActor;

/** A person who acts as a member of the account, by whatever means. */
export type PersonActor = MemberActor | LinkActor | PhoneActor;

/** Whether the actor is the person: signed in, or with a key that they created. */
export const isSelf = (actor: MemberActor, { userId }: { readonly userId: string }): boolean =>
  userId === actor.userId && actor.isOwnCredential;
