// The routes of people's addresses on messengers. Each person manages only their own; the account in
// which they added one sends to it.
import { MINUTE } from "../../../domain/shared/time.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { MAX_CODE_ATTEMPTS } from "../contacts/phone-code-rows.ts";
import { channelAddressScope } from "./channel-address-scope.ts";
import { confirmChannelAddress } from "./confirm-channel-address.ts";
import { createChannelAddress, MAX_ADDRESSES } from "./create-channel-address.ts";
import { deleteChannelAddress } from "./delete-channel-address.ts";
import { ConfirmChannelAddress, CreateChannelAddress } from "./parameters.ts";
import { ADDRESS_CODE_MS, channelAddressRecords, LINK_MS } from "./rows.ts";
import { sendChannelAddressCode } from "./send-channel-address-code.ts";

export const channelAddressRoutes = [
  route({
    method: "GET",
    path: "/channel_addresses",
    operation: "listChannelAddresses",
    allow: "everyone",
    summary: "List your channel addresses",
    shows: many(channelAddressRecords),
    handle: (request) =>
      listRecords(request, channelAddressRecords, { scope: channelAddressScope(request.actor) }),
  }),
  route({
    method: "GET",
    path: "/channel_addresses/:id",
    operation: "getChannelAddress",
    allow: "everyone",
    summary: "Get a channel address",
    shows: one(channelAddressRecords),
    handle: onRecord("channel_address", async ({ db, actor }, identifier) => {
      const scope = channelAddressScope(actor);
      const records = channelAddressRecords;
      return found(await readRecord(db, records, actor.accountId, identifier, scope));
    }),
  }),
  route({
    method: "POST",
    path: "/channel_addresses",
    operation: "createChannelAddress",
    allow: "everyone",
    summary: "Add an address on a channel",
    description: `Adds an address to which you are notified once it is confirmed: by a code sent to it, or by a link to the provider. Confirmed addresses are used by default, and can be chosen in notification rules. At most ${MAX_ADDRESSES}.`,
    shows: made(channelAddressRecords),
    refuses: ["conflict"],
    body: CreateChannelAddress,
    makes: channelAddressRecords,
    handle: async (request) =>
      created(await createChannelAddress(request, request.recordId, request.body)),
  }),
  route({
    method: "POST",
    path: "/channel_addresses/:id/send_code",
    operation: "sendChannelAddressCode",
    allow: "everyone",
    summary: "Send a code to a channel address",
    description: `Sends a 6-digit code to the address, or returns the link to follow (\`telegram\`), which confirms it and is valid for ${LINK_MS / MINUTE} minutes. Earlier codes and links become invalid.`,
    shows: exactly("ChannelAddressProof"),
    refuses: ["conflict"],
    handle: onRecord("channel_address", async (request, identifier) =>
      found(await sendChannelAddressCode(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/channel_addresses/:id/confirm",
    operation: "confirmChannelAddress",
    allow: "everyone",
    summary: "Confirm a channel address",
    description: `Requires the code that was sent to the address. A code is valid for ${ADDRESS_CODE_MS / MINUTE} minutes and ${MAX_CODE_ATTEMPTS} attempts.`,
    shows: exactly("ChannelAddress"),
    refuses: ["conflict"],
    body: ConfirmChannelAddress,
    handle: onRecord("channel_address", async (request, identifier) =>
      found(await confirmChannelAddress(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/channel_addresses/:id",
    operation: "deleteChannelAddress",
    allow: "everyone",
    summary: "Remove a channel address",
    shows: noBody,
    handle: onRecord("channel_address", async (request, identifier) =>
      deleted(await deleteChannelAddress(request, identifier)),
    ),
  }),
];
