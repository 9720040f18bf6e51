// The people of a rotation, in order. Each operation is a button that redisplays the form with it;
// a script does the same without a request, and adds dragging.
import { findByName } from "../../../domain/shared/name-search.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { faultText } from "../../../kernel/console/labels.ts";
import { choicesPath } from "../../../kernel/console/sources.ts";
import { fieldText, type Values } from "../../../kernel/console/values.ts";
import { Who } from "../../people/person-panels.tsx";
import type { Names, WithNames } from "../../reads.ts";
import { type Positions, positionsField, positionsIn, positionText } from "./positions.ts";

/** The field in which a name is typed. */
const searchField = (part: number): string => `add_${part}`;

/** The people of the team that are offered without a search. */
const MOST_OFFERED = 12;
const MOST_FOUND = 8;

/** The attributes of a button that redisplays the form with an operation. */
const editing = (value: string, draft: string) =>
  ({ type: "submit", name: "edit", value, formaction: draft, formnovalidate: true }) as const;

type Edit = { readonly value: string; readonly label: string; readonly draft: string };

const EditButton = ({ value, label, draft, children }: Edit & { readonly children: string }) => (
  <button {...editing(value, draft)} class="tool" title={label} aria-label={label}>
    {children}
  </button>
);

const TOOLS = [
  ["up", "↑", "Move up"],
  ["down", "↓", "Move down"],
  ["join", "Join", "Join the turn above"],
  ["split", "Split", "Split into separate turns"],
  ["repeat", "Repeat", "Repeat at the end"],
  ["remove", "✕", "Remove"],
] as const;

type RowProps = WithNames<{ part: number; at: number; people: readonly string[]; draft: string }>;

const Position = ({ names, part, at, people, draft }: RowProps) => {
  const who = people.map(names.of).join(" and ") || "nobody";
  return (
    <li class="position" data-position>
      <input type="hidden" name={`${positionsField(part)}[]`} value={positionText(people)} />
      <span class="grip" data-grip aria-hidden="true">
        ⠿
      </span>
      <span class="position-people" data-people>
        {people.length === 0 ? <span class="soft">Nobody (empty turn)</span> : null}
        {people.map((id) => (
          <span data-person={id}>
            <Who names={names} id={id} />
          </span>
        ))}
      </span>
      <span class="tools">
        {TOOLS.map(([edit, text, label]) => (
          <EditButton value={`${part} ${edit} ${at}`} label={`${label}: ${who}`} draft={draft}>
            {text}
          </EditButton>
        ))}
      </span>
    </li>
  );
};

/** The people whose name or address matches a text, best first; none for an empty text. */
const findPeople = ({ people }: Names, text: string): readonly string[] =>
  findByName(people, text, ({ user }) => ({
    name: user.name,
    further: user.emails.map(({ email }) => email),
  }))
    .map(({ id }) => id)
    .slice(0, MOST_FOUND);

type OfferProps = WithNames<{ ids: readonly string[]; part: number; draft: string }>;

const Offers = ({ names, ids, part, draft }: OfferProps) => (
  <>
    {ids.map((id) => (
      <button {...editing(`${part} add ${id}`, draft)} class="offer">
        <span class="unseen">Add </span>
        <Who names={names} id={id} />
      </button>
    ))}
  </>
);

/** Teams that are offered; of more only those that use the schedule, whose members are offered. */
const MOST_TEAMS = 8;
const MOST_MEMBERS = 30;

type TeamOffersProps = Omit<OfferProps, "ids"> & Pick<PositionsProps, "members">;

/** Buttons that add all members of a team, each with a turn. */
const TeamOffers = ({ names, members, part, draft }: TeamOffersProps) => {
  const whole = names.teams.filter(
    ({ member_account_user_ids: { length } }) => length > 1 && length <= MOST_MEMBERS,
  );
  const own = whole.filter(({ member_account_user_ids: ids }) =>
    ids.every((id) => members.includes(id)),
  );
  return (
    <>
      {(whole.length > MOST_TEAMS ? own : whole).slice(0, MOST_TEAMS).map((team) => {
        const people = team.member_account_user_ids.map((id) => ({ id, name: names.of(id) }));
        const edit = `${part} each ${people.map(({ id }) => id).join(" ")}`;
        return (
          <button
            {...editing(edit, draft)}
            class="offer"
            data-people={JSON.stringify(people)}
            aria-label={`Add all of ${team.name} (${people.length})`}
          >
            Add all of {team.name} ({people.length})
          </button>
        );
      })}
    </>
  );
};

export type PositionsProps = {
  readonly names: Names;
  readonly values: Values;
  /** The part of the form; 0 if it has only one. */
  readonly part?: number;
  /** The path that redisplays the form after an operation. */
  readonly draft: string;
  /** Those who are offered without a search: the members of the schedule's teams. */
  readonly members: readonly string[];
  readonly refusal: Refusal | null;
};

const LABEL = "People";
const FIELDS = ["account_user_ids", "positions"];

/** The fault of one turn names the turn. */
const faultsIn = (refusal: Refusal | null): readonly string[] =>
  (refusal?.errors ?? []).flatMap((fault) => {
    const [, name = "", turn] = /^(\w+)(?:\[(\d+)\])?/.exec(fault.field ?? "") ?? [];
    if (!FIELDS.includes(name)) return [];
    return [faultText(fault, turn === undefined ? LABEL : `Turn ${Number(turn) + 1}`)];
  });

/** The ordered list, and the ways to add to it. */
export const PositionsField = (props: PositionsProps) => {
  const { names, values, part = 0, draft, members } = props;
  const positions: Positions = positionsIn(values, part);
  const typed = fieldText(values, searchField(part));
  const found = findPeople(names, typed);
  const isWithoutPeople = props.refusal !== null && positions.length === 0;
  const faults = [
    ...faultsIn(props.refusal),
    ...(isWithoutPeople ? ["Nobody has a turn yet: press a name to add the person."] : []),
  ];
  const id = `people-${part}`;
  return (
    <fieldset
      class="positions"
      data-positions={part}
      data-search={choicesPath("people")}
      aria-invalid={faults.length > 0 ? "true" : undefined}
    >
      <legend>{LABEL}</legend>
      <ol class="position-list" data-list>
        {positions.map((people, at) => (
          <Position {...{ names, part, at, people, draft }} />
        ))}
      </ol>
      <div class="position-add">
        <label for={id}>Add person</label>
        <div class="copy">
          <input
            id={id}
            type="text"
            name={searchField(part)}
            value={typed}
            autocomplete="off"
            placeholder="Name or e-mail address"
            data-find
            aria-describedby={`${id}-help`}
          />
          <EditButton value={`${part} find 0`} label="Find people by name" draft={draft}>
            Find
          </EditButton>
        </div>
        <div class="offers" data-found aria-live="polite">
          <Offers {...{ names, part, draft, ids: found }} />
          {typed !== "" && found.length === 0 ? <span class="soft">No person found.</span> : null}
        </div>
        <div class="offers">
          <Offers {...{ names, part, draft, ids: members.slice(0, MOST_OFFERED) }} />
          <TeamOffers {...{ names, part, draft, members }} />
          <EditButton value={`${part} empty 0`} label="Empty turn: nobody is on call" draft={draft}>
            Empty turn
          </EditButton>
        </div>
        <p class="help" id={`${id}-help`}>
          In the order of the turns. A person can appear several times; several can join one turn.
        </p>
      </div>
      {faults.length > 0 ? <p class="faults">{faults.join(" ")}</p> : null}
      <p class="unseen" role="status" data-status></p>
    </fieldset>
  );
};

/** A position for the script to copy. It is no field of a form. */
export const PositionTemplate = ({ names, draft }: Pick<PositionsProps, "names" | "draft">) => (
  <template id="position">
    <Position {...{ names, draft, part: 0, at: 0, people: [] }} />
  </template>
);

/** A button that Enter in a field presses: it redisplays the form in place of saving it. */
export const EnterButton = ({ draft }: { readonly draft: string }) => (
  <button type="submit" class="unseen" formaction={draft} formnovalidate tabindex={-1}>
    Preview
  </button>
);
