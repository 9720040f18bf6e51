// A person's accounts in chat products: the panel of the settings.
import { CHAT_TITLES } from "../../domain/people/chat.ts";
import type { ChatAccount } from "../../features/people/chat-accounts/contract.ts";
import { ActionButton } from "../../kernel/console/form.tsx";
import type { Visit } from "../page.ts";

type ChatAccountsProps = { readonly visit: Visit; readonly accounts: readonly ChatAccount[] };

export const ChatAccounts = ({ visit, accounts }: ChatAccountsProps) => (
  <>
    <p>
      {accounts.length === 0
        ? "Press a button of an alert in your team's chat, or write /oncall there: you get a link for your account."
        : "What you do with these accounts in a chat, you do here."}
    </p>
    <ul class="contacts">
      {accounts.map(({ id, product, name, workspace_id: workspace }) => (
        <li class="contact">
          <div class="alert-facts">
            <strong>
              {CHAT_TITLES[product]}: {name}
            </strong>
            <span class="soft">{workspace}</span>
          </div>
          <div class="buttons">
            <ActionButton
              to={`/settings/chats/${id}/remove`}
              session={visit.session}
              label="Unlink account"
              confirm={`Unlink ${CHAT_TITLES[product]} (${name})? You can no longer answer alerts there.`}
            />
          </div>
        </li>
      ))}
    </ul>
  </>
);
