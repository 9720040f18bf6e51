// The page of an invitation's link: an existing person approves or denies joining an account. Until
// they approve, they are not a member, and none of their data is shown.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { commit } from "../../change/commit.ts";
import { denyInvitation } from "../../oncall/departures/deny-invitation.ts";
import { approveInvitation } from "../../people/invitations/approve-invitation.ts";
import { type Invitation, readInvitation } from "../../people/invitations/invitation-rows.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import { Answer, Button, type LinkPage, messagePage } from "./page.tsx";

const GONE = messagePage(404, "This invitation is no longer valid", "It was denied or withdrawn.");

const findInvitation = ({ db, subject }: LinkRequest) =>
  readInvitation(db, subject.accountId, subject.accountUserId);

const memberPage = ({ account }: Invitation): LinkPage =>
  messagePage(200, `You are a member of ${account}`, "You can be notified of its alerts.");

const decisionPage = ({ account, email }: Invitation): LinkPage => ({
  status: 200,
  title: `Join ${account}?`,
  body: (
    <>
      <section>
        <h1>Join {account}?</h1>
        <p>
          Its members will see your name, your verified addresses and the phone numbers that you
          confirmed. You will be notified of its alerts.
        </p>
        <p class="soft">The invitation is for {email}.</p>
      </section>
      <Answer>
        <Button action="approve" label="Approve" kind="go" />
        <Button action="deny" label="Deny" kind="stop" />
      </Answer>
    </>
  ),
});

async function approve(request: LinkRequest, invitation: Invitation): Promise<LinkPage> {
  const member = await approveInvitation(linkContext(request, invitation.email));
  return !isRefusal(member) && member.state === "active" ? memberPage(invitation) : GONE;
}

async function deny(request: LinkRequest, { account, email }: Invitation): Promise<LinkPage> {
  const context = linkContext(request, email);
  const refusal = await commit(context, () => denyInvitation(context));
  if (refusal === null || refusal.reason === "not_found") {
    return messagePage(
      200,
      `You denied the invitation to ${account}`,
      "None of your data was shown.",
    );
  }
  return messagePage(
    409,
    "The invitation cannot be denied yet",
    `The configuration of ${account} already refers to you. Ask its admin to remove you. Until you approve, you are not notified, and none of your data is shown.`,
  );
}

export const invitationPages: LinkPages = {
  show: async (request) => {
    const invitation = await findInvitation(request);
    if (invitation === null) return GONE;
    return invitation.state === "active" ? memberPage(invitation) : decisionPage(invitation);
  },
  act: async (request, action) => {
    const invitation = await findInvitation(request);
    if (invitation === null) return GONE;
    if (invitation.state === "active") return memberPage(invitation);
    if (action === "deny") return deny(request, invitation);
    if (action !== "approve") return { ...decisionPage(invitation), status: 422 };
    return approve(request, invitation);
  },
};
