// Renders a mail as HTML, without external resources, in the product's colours. JSX escapes every value.
import { raw } from "hono/html";
import { type Colour, PALETTE } from "../../domain/shared/palette.ts";
import type { Mail, MailItem, MailTone } from "./mail.ts";

/** Mail programs without dark mode, and those that read no style sheet, use the colours on the elements. */
const light = (name: Colour) => PALETTE[name][0];
const dark = (name: Colour) => `${PALETTE[name][1]} !important`;

const GROUND: Record<MailTone, Colour> = { urgent: "bad", high: "warn", calm: "soft" };

const DARK = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: ${dark("ground")}; } .sheet { background: ${dark("sheet")}; border-color: ${dark("line")}; }
  .ink { color: ${dark("ink")}; } .soft { color: ${dark("soft")}; } .link { color: ${dark("accent")}; }
  .quoted { border-color: ${dark("strong-line")}; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = `${FONT};font-size:16px;line-height:1.5;color:${light("ink")};margin:0 0 12px`;
const SOFT = `${FONT};font-size:14px;line-height:1.5;color:${light("soft")}`;
const SHEET = `background:${light("sheet")};border:1px solid ${light("line")};border-radius:10px`;
const BUTTON = `${FONT};display:inline-block;padding:13px 22px;background:${light("accent")};color:${light("accent-ink")};font-size:16px;font-weight:600;text-decoration:none;border-radius:8px`;
const LABEL = `${SOFT};text-align:left;font-weight:400;padding:1px 14px 1px 0;vertical-align:top;white-space:nowrap`;
const VALUE = `${FONT};font-size:15px;line-height:1.5;color:${light("ink")};padding:1px 0;overflow-wrap:anywhere`;
const BADGE = `${FONT};display:inline-block;color:#ffffff;font-size:13px;font-weight:700;padding:3px 10px;border-radius:6px`;
const HEADING = `${FONT};font-size:21px;line-height:1.3;color:${light("ink")};margin:0 0 12px;overflow-wrap:anywhere`;
const QUOTED = `${TEXT};white-space:pre-wrap;border-left:3px solid ${light("strong-line")};padding:2px 0 2px 14px;overflow-wrap:anywhere`;

const Item = ({ title, detail, url }: MailItem) => (
  <li style="margin:0 0 10px">
    {url === null ? (
      <strong>{title}</strong>
    ) : (
      <a class="link" href={url} style={`color:${light("accent")};font-weight:600`}>
        {title}
      </a>
    )}
    <br />
    <span class="soft" style={SOFT}>
      {detail}
    </span>
  </li>
);

const Fact = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <tr>
    <th scope="row" class="soft" style={LABEL}>
      {label}
    </th>
    <td class="ink" style={VALUE}>
      {value}
    </td>
  </tr>
);

const Sheet = ({ mail }: { readonly mail: Mail }) => (
  <div class="sheet" style={`max-width:560px;margin:0 auto;${SHEET};padding:22px 22px 12px`}>
    <p style="margin:0 0 12px">
      <span style={`${BADGE};background:${light(GROUND[mail.tone])}`}>{mail.badge}</span>
    </p>
    <h1 class="ink" style={HEADING}>
      {mail.heading}
    </h1>
    {mail.paragraphs.map((it) => (
      <p class="ink" style={TEXT}>
        {it}
      </p>
    ))}
    {mail.quoted !== null && (
      <div class="quoted ink" style={QUOTED}>
        {mail.quoted}
      </div>
    )}
    {mail.items.length > 0 && (
      <ul class="ink" style={`${TEXT};padding-left:20px`}>
        {mail.items.map((it) => (
          <Item {...it} />
        ))}
      </ul>
    )}
    {mail.facts.length > 0 && (
      <table role="presentation" style="border-collapse:collapse;margin:0 0 8px">
        {mail.facts.map(([label, value]) => (
          <Fact label={label} value={value} />
        ))}
      </table>
    )}
    {mail.buttons.map(({ label, url }) => (
      <p style="margin:16px 0 12px">
        <a href={url} style={BUTTON}>
          {label}
        </a>
      </p>
    ))}
  </div>
);

const MailDocument = ({ mail }: { readonly mail: Mail }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{mail.subject}</title>
      <style>{raw(DARK)}</style>
    </head>
    <body class="ground" style={`margin:0;padding:0;background:${light("ground")}`}>
      <div style="display:none;max-height:0;overflow:hidden">{mail.preview}</div>
      <div class="ground" style={`background:${light("ground")};padding:20px 12px`}>
        <Sheet mail={mail} />
        <div style="max-width:560px;margin:12px auto 0;padding:0 22px">
          {mail.footer.map((it) => (
            <p class="soft" style={`${SOFT};margin:0 0 6px`}>
              {it}
            </p>
          ))}
        </div>
      </div>
    </body>
  </html>
);

/** Renders a mail as an HTML document. */
export async function mailHtml(mail: Mail): Promise<string> {
  return `<!doctype html>\n${await (<MailDocument mail={mail} />)}\n`;
}
