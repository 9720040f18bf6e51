// What providers of phone and mail call back with.

/** A request to one of our callbacks, as received. */
export type CallbackRequest = {
  /** The URL that the provider called: behind a proxy, the request's own URL may differ. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** Epoch ms. */
  readonly now: number;
};

/** A delivery report on a message, call or mail. */
export type ProviderReport = {
  readonly status: "sent" | "delivered" | "failed";
  /** The provider's id of the message or call, without the provider's name. */
  readonly id: string;
  /** Of a failure, as text without a number or address. */
  readonly reason: string | null;
  /** Of a failure: whether no other provider would deliver to this address either. */
  readonly isRecipientAtFault: boolean;
  /** Whether the recipient has sent STOP. */
  readonly isUnsubscribed: boolean;
};
