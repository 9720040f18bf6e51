// Text of people or senders: plain text, and URLs as links that send no referrer.

/** Whether a value is an http(s) URL that may become a link. */
export const isWeb = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value) && value.length <= 2_048;

/** A link to another host: its address, or a button with a label. */
export const Outside = ({ to, label }: { readonly to: string; readonly label?: string }) => (
  <a
    href={to}
    class={label === undefined ? undefined : "button plain"}
    rel="noopener noreferrer nofollow"
    target="_blank"
  >
    {label ?? to}
  </a>
);

/** Matches a URL without the punctuation that ends the sentence around it. */
const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/i;

/** Limits the size of a page: each link contains its URL twice. */
const MAX_LINKS = 10;
const MAX_LINK_LENGTH = 300;

export const LinkedText = ({
  text,
  most = MAX_LINKS,
}: {
  readonly text: string;
  readonly most?: number;
}) => {
  const pieces = text.split(URL_PATTERN);
  const isLink = (piece: string, at: number) =>
    at % 2 === 1 && at < 2 * most && piece.length <= MAX_LINK_LENGTH && isWeb(piece);
  return <>{pieces.map((piece, at) => (isLink(piece, at) ? <Outside to={piece} /> : piece))}</>;
};
