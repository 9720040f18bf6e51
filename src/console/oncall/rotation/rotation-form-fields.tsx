// The form of a stored rotation.
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Values } from "../../../kernel/console/values.ts";
import { HoursFields } from "./hours-fields.tsx";
import { PositionsField, type PositionsProps } from "./positions-field.tsx";
import { EffectFields, LayerField, MoreFields, TurnFields, ZoneField } from "./rotation-fields.tsx";

/** The parameters whose errors the fields of a rotation show themselves. */
export const ROTATION_PARAMETERS = [
  ...["account_user_ids", "positions", "frequency", "frequency_unit", "time_zone", "effective_at"],
  ...["restrictions", "layer", "priority", "when_away", "repeat_end_datetime"],
];

type State = {
  readonly values: Values;
  readonly refusal: Refusal | null;
  readonly people: Pick<PositionsProps, "names" | "draft" | "members">;
  /** Null if the form changes the rotation from a turn on that is already chosen. */
  readonly effect: { readonly nextHandoff: string | null } | null;
};

export const RotationFields = ({ state }: { readonly state: State }) => {
  const { values, refusal, people, effect } = state;
  const fields = { values, refusal };
  return (
    <>
      <PositionsField {...people} {...fields} />
      <HoursFields {...fields} part={0} />
      <TurnFields {...fields}>
        <ZoneField {...fields} name="time_zone" label="Time zone" />
      </TurnFields>
      <MoreFields {...fields}>
        <LayerField {...fields} help="Step 1 is notified first." />
      </MoreFields>
      {effect ? <EffectFields {...fields} {...effect} hasFirst /> : null}
    </>
  );
};
