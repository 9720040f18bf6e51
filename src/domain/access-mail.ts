// Mails about how somebody gets in: the link that proves an address, and the one for whoever has forgotten their
// password. What is to be said stands in the mail's object until it has been sent; the queue is told only whose.

/** To an address that somebody has written beside a person's name: its link proves that they read it. */
export type AddressMail = {
  readonly kind: "address";
  readonly accountId: string;
  /** The address's record, and its text: another text in that record is not what this mail is about. */
  readonly emailId: string;
  readonly email: string;
  /** The person who asked for it: they wrote the address there, or want the mail again. */
  readonly byUserId: string;
  /** When it was asked for (epoch ms); its link's time counts from there. */
  readonly at: number;
};

/** To whom an address belongs, if to anybody: who asks is not told. */
export type PasswordMail = {
  readonly kind: "password";
  readonly email: string;
  /** The network that it was asked for from. */
  readonly place: string;
  readonly at: number;
};

/** A person of a provider of single sign-on, by what no other one has. */
export type Identity = { readonly issuer: string; readonly subject: string };

/** To the address that a provider says is theirs and does not vouch for: its link, in the same browser, proves it. */
export type IdentityMail = {
  readonly kind: "identity";
  readonly email: string;
  readonly place: string;
  readonly identity: Identity;
  /** A hash of what the browser has. */
  readonly browser: string;
  readonly at: number;
};

export type AccessMail = AddressMail | PasswordMail | IdentityMail;

/** The queue's message that an object has a mail to be sent: the object's name. */
export type AccessMailMessage = { readonly accessMail: string };

export function isAccessMailMessage(body: unknown): body is AccessMailMessage {
  return typeof (body as Partial<AccessMailMessage> | null)?.accessMail === "string";
}
