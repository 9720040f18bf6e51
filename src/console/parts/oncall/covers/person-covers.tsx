// The coming covers of a person, on their page.
import type { Cover } from "../../../../contract/oncall/covers/cover.ts";
import type { AccountUser } from "../../../../contract/people/account-user.ts";
import { mayCover } from "../../../access/reach.ts";
import type { Visit } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";
import { Panel } from "../../shared/panel.tsx";
import { CoverList, comingCovers } from "./cover-list.tsx";

export const PersonCovers = ({
  visit,
  person,
  covers,
  names,
}: {
  readonly visit: Visit;
  readonly person: AccountUser;
  readonly covers: readonly Cover[];
  readonly names: Names;
}) => (
  <Panel
    title="Covers"
    id="covers"
    {...(mayCover(visit, names) && {
      aside: <a href={`/covers/new?person=${person.id}`}>Cover {person.user.name}</a>,
    })}
  >
    <CoverList
      {...{ visit, names }}
      covers={comingCovers(covers, visit.now)}
      empty="No absence is planned."
      isPart
    />
  </Panel>
);
