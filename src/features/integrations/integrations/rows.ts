// Integrations: what a record shows, which depends on the caller. It never contains a secret.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { addressOf } from "../../../kernel/credentials.ts";
import {
  boolean,
  commonAttributes,
  instant,
  nestedAs,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import type { Options } from "../../../products/integration-type.ts";
import { findIntegrationType, integrationTypeId } from "../../../products/integration-type-id.ts";
import { templateWarnings } from "../../../products/reading/templates.ts";
import { integrationTypeNamed, integrationTypes } from "../../../products/registry.ts";
import type { Context } from "../../change/context.ts";
import { receiversOfIntegration } from "../../outgoing/delivery-rows.ts";
import { integrationReceivers, integrations, routers } from "../../schema/integrations.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { IntegrationTypeName } from "./contract.ts";
import { type StoredOptions, showOptions } from "./integration-options.ts";

/** The scheme and host of the URLs in records. */
type Host = {
  readonly env: Pick<Cloudflare.Env, "LINK_SECRET">;
  readonly origin: string;
};

/** Whom records are shown to. */
type Viewer = Host & { readonly actor: MemberActor };

/** What verbs that return an integration are given. */
export type IntegrationContext = Context<MemberActor> & Viewer;

/** The URL to which an integration's senders post. */
export const urlOf = ({ env, origin }: Host, prefixId: string, version: number): string =>
  `${origin}/integration/${addressOf(env.LINK_SECRET, prefixId, version)}`;

type ShownOptions = StoredOptions & { readonly type: string };

const showStoredOptions =
  ({ roles, readOnly }: MemberActor) =>
  ({ type: name, ...stored }: ShownOptions) => {
    const type = integrationTypeNamed(name);
    return type ? showOptions(type, stored, roles.admin && !readOnly) : {};
  };

/** A type in the format of integrations: an object, also for a type that no longer exists. */
const showType = ({ name }: { readonly name: string }): IntegrationTypeName => {
  const id = integrationTypeId(name);
  const prefixId = prefixIdOf("integration_type", id);
  return { id, prefix_id: prefixId, name, title: integrationTypeNamed(name)?.title ?? name };
};

/** The id of the row's type, in SQL so that filters and sorting use the shown value. */
const typeIdOfRow = sql<string>`(case ${integrations.integrationType} ${sql.join(
  integrationTypes.map(({ name }) => sql.raw(`when '${name}' then '${integrationTypeId(name)}'`)),
  sql` `,
)} else ${integrations.integrationType} end)`;

/**
 * True for the integrations whose URL and intake key the actor may see; either lets its holder
 * create and resolve alerts. Account admins see all, team admins those of their teams, and a
 * read-only key none.
 */
function seesAddress({ roles, readOnly, accountId, accountUserId }: MemberActor): SQL {
  if (readOnly) return sql`0`;
  if (roles.admin) return sql`1`;
  return sql`exists (select 1 from ${integrationReceivers}
    join ${teamPeople} on ${teamPeople.teamId} = ${integrationReceivers.receiverId}
      and ${teamPeople.relation} = 'admin' and ${teamPeople.accountUserId} = ${accountUserId}
    where ${integrationReceivers.accountId} = ${accountId}
      and ${integrationReceivers.integrationId} = ${integrations.id}
      and ${integrationReceivers.receiverType} = 'team')`;
}

/** The records of integrations, limited to what the caller may see. */
export function integrationRecords({ env, origin, actor }: Viewer): Records<"Integration"> {
  const { accountId } = integrations;
  /** Shown only to callers who may see it. Not filterable: a filter would reveal the value. */
  const addressed = (column: SQLWrapper) => ({
    ...string(sql<string>`(case when ${seesAddress(actor)} then ${column} end)`),
    unfiltered: true,
    omittedWhenNull: true,
  });
  return {
    kind: "integration",
    shows: "Integration",
    from: integrations,
    accountId: integrations.accountId,
    id: integrations.id,
    prefixId: integrations.prefixId,
    attributes: {
      ...commonAttributes(integrations),
      name: string(integrations.name),
      enabled: boolean(integrations.enabled),
      urgency: string(integrations.urgency),
      integration_type_id: {
        ...string(typeIdOfRow),
        // A type that no longer exists gets an id computed from its name.
        show: (id) => (findIntegrationType(String(id)) ? id : integrationTypeId(String(id))),
        filterValue: (text) => {
          const type = findIntegrationType(text);
          return type === null ? text : integrationTypeId(type.name);
        },
      },
      integration_type: nestedAs(
        sql<{ readonly name: string }>`json_object('name', ${integrations.integrationType})`,
        showType,
      ),
      options: nestedAs(
        sql<ShownOptions>`json_object('type', ${integrations.integrationType},
          'options', json(${integrations.options}), 'secrets', json(${integrations.secrets}))`,
        showStoredOptions(actor),
      ),
      warnings: nestedAs(sql<Options>`json(${integrations.options})`, (options) =>
        templateWarnings(options),
      ),
      not_understood_at: instant(integrations.notUnderstoodAt),
      account_user_ids: references(receiversOfIntegration("account_user"), accountId, accountUsers),
      router_ids: references(receiversOfIntegration("router"), accountId, routers),
      team_ids: references(receiversOfIntegration("team"), accountId, teams),
      accepts_id: boolean(integrations.acceptsId),
      accepts_get: boolean(integrations.acceptsGet),
      url: {
        ...addressed(sql`${integrations.prefixId} || ' ' || ${integrations.addressVersion}`),
        show: (value) => {
          const [prefixId = "", version] = String(value).split(" ");
          return urlOf({ env, origin }, prefixId, Number(version));
        },
      },
      intake_key: addressed(integrations.intakeKey),
    },
    search: [integrations.name],
    total: "integrations",
  };
}
