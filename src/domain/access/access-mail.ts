// Messages about access: address verification, password reset, and linking a single sign-on
// identity. The content is stored in the mail's object until it is sent; the queue message carries
// only the object's name.

/** Verifies an address that was added to a person: its link proves that the recipient reads it. */
export type AddressMail = {
  readonly kind: "address";
  readonly accountId: string;
  /** The address record and its value. The mail is void once the record's value changes. */
  readonly emailId: string;
  readonly email: string;
  /** The person who added the address or requested the mail again. */
  readonly byUserId: string;
  /** Request time (epoch ms); the link's lifetime starts here. */
  readonly at: number;
};

/**
 * A password reset for the owner of an address. The requester does not learn whether one exists.
 */
export type PasswordMail = {
  readonly kind: "password";
  readonly email: string;
  /** The network that requested it. */
  readonly place: string;
  readonly at: number;
};

/** A person at a single sign-on provider; unique by both fields. */
export type Identity = { readonly issuer: string; readonly subject: string };

/**
 * Sent to an address that the provider reports but does not assert as verified. Opening its link in
 * the same browser proves ownership.
 */
export type IdentityMail = {
  readonly kind: "identity";
  readonly email: string;
  readonly place: string;
  readonly identity: Identity;
  /** Hash of the browser's secret. */
  readonly browser: string;
  readonly at: number;
};

export type AccessMail = AddressMail | PasswordMail | IdentityMail;

/** Queue message: the named object has a mail to send. */
export type AccessMailMessage = { readonly accessMail: string };

/** Whether a queue message is an access mail message. */
export function isAccessMailMessage(body: unknown): body is AccessMailMessage {
  return typeof (body as Partial<AccessMailMessage> | null)?.accessMail === "string";
}
