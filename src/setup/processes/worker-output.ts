// What `wrangler dev` prints, as one line for each change, page and fault: its own report of bindings
// and of every request would hide them.

/** Wrangler's own lines. A request is shown if it failed. */
const NOISE =
  /^(?:\[wrangler:info\]|⎔|Your Worker has access|Binding {2}|env\.|Using secrets defined|\s*$)/;
const FAILED_REQUEST = /^\[wrangler:info\] (?:[A-Z]+ \S+ 5\d\d .*)$/;

/** How wrangler reports a mail that was sent: a line that announces it, then its parts. */
const MAIL = /^\[wrangler:info\] send_email binding called/;
const MAIL_PART = /^(From|To|Subject|Cc|Reply-To|Text|HTML): (.*)$/;

/** A logged object on one line, its message first: `change: verb create, kind team`. */
function lineOf(object: readonly string[]): string {
  const text = object
    .slice(1, -1)
    .map((line) => line.trim())
    .join(" ");
  const [, message = ""] = /\bmessage: '((?:[^'\\]|\\.)*)'/.exec(text) ?? [];
  const rest = text
    .replace(/\bmessage: '(?:[^'\\]|\\.)*',? ?/, "")
    .replace(/,? ?\bfields: \[[^\]]*\],? ?/, "")
    .replace(/(\w+): '((?:[^'\\]|\\.)*)'/g, "$1 $2");
  return message === "" ? `{ ${rest} }` : rest === "" ? message : `${message}: ${rest}`;
}

/** Reads a stream of output; gives the lines to be shown as they are complete. */
export class WorkerOutput {
  #rest = "";
  #object: string[] | null = null;
  /** The parts of the mail that is being reported; null if none is. */
  #mail: Readonly<Record<string, string>> | null = null;

  /** The lines that this part of the output completes. */
  read(text: string): readonly string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line.replace(/\r$/, "")));
  }

  #line(line: string): readonly string[] {
    if (this.#object !== null) {
      this.#object.push(line);
      if (line !== "}") return [];
      const object = this.#object;
      this.#object = null;
      return [lineOf(object)];
    }
    if (line === "{") {
      this.#object = [line];
      return [];
    }
    if (MAIL.test(line)) this.#mail = {};
    else if (this.#mail !== null) {
      const [, part, value = ""] = MAIL_PART.exec(line) ?? [];
      if (part === "Text") return [`MAIL to ${this.#mail.To} "${this.#mail.Subject}": ${value}`];
      if (part !== undefined) this.#mail = { ...this.#mail, [part]: value };
      else if (line.trim() !== "") this.#mail = null;
      if (this.#mail !== null) return [];
    }
    const isShown = !NOISE.test(line) || FAILED_REQUEST.test(line);
    return isShown ? [line.replace(/^\[wrangler:info\] /, "")] : [];
  }
}
