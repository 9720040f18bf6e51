// Text that people or senders wrote: text as text, its addresses as links that tell the other side nothing of us.

/** An address that a browser may be sent to. */
export const isWeb = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value) && value.length <= 2_048;

/** A link to another host. */
export const Outside = ({ to }: { readonly to: string }) => (
  <a href={to} rel="noopener noreferrer nofollow" target="_blank">
    {to}
  </a>
);

/** What looks like an address, without the full stop or bracket that ends the sentence around it. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/i;

/** A link says its address twice: a page that a bad connection has to load has room for so many, of such a length. */
const MOST_LINKS = 10;
const LONGEST_LINK = 300;

export const LinkedText = ({
  text,
  most = MOST_LINKS,
}: {
  readonly text: string;
  readonly most?: number;
}) => {
  const pieces = text.split(ADDRESS);
  const isLink = (piece: string, at: number) =>
    at % 2 === 1 && at < 2 * most && piece.length <= LONGEST_LINK && isWeb(piece);
  return <>{pieces.map((piece, at) => (isLink(piece, at) ? <Outside to={piece} /> : piece))}</>;
};
