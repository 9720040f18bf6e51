CREATE TABLE `past_absences` (
	`account_id` text NOT NULL,
	`absence_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`instead` text NOT NULL,
	`covering_account_user_id` text,
	`schedule_ids` text,
	`decided_at` integer NOT NULL,
	`released` text NOT NULL,
	PRIMARY KEY(`account_id`, `end_at`, `absence_id`, `start_at`)
);
--> statement-breakpoint
DROP TRIGGER unavailabilities_on_call_added;
--> statement-breakpoint
DROP TRIGGER unavailabilities_on_call_changed;
--> statement-breakpoint
DROP TRIGGER unavailabilities_on_call_removed;
--> statement-breakpoint
ALTER TABLE `events` ADD `skip_changes` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `unavailabilities` ADD `serves_from` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `covers` ADD `serves_from` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Until now, overrides were stored for absences. Those that were served stay, as overrides by hand.
UPDATE `unavailabilities` SET serves_from = CAST(unixepoch('subsec') * 1000 AS INTEGER);
--> statement-breakpoint
UPDATE `covers` SET serves_from = CAST(unixepoch('subsec') * 1000 AS INTEGER);
--> statement-breakpoint
UPDATE `events` SET skip_changes = '[0]' WHERE skip_unavailable = 1;
--> statement-breakpoint
-- Overrides by hand of an override that goes override what that one overrode.
WITH RECURSIVE raised(id, ancestor, occurrence) AS (
  SELECT id, parent_id, overridden_start_at FROM events
    WHERE parent_id IS NOT NULL AND cover_id IS NULL AND absent_account_user_id IS NULL
      AND end_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)
  UNION SELECT raised.id, events.parent_id, events.overridden_start_at FROM raised
    JOIN events ON events.id = raised.ancestor
    WHERE (events.cover_id IS NOT NULL OR events.absent_account_user_id IS NOT NULL) AND events.parent_id IS NOT NULL
      AND events.end_at > CAST(unixepoch('subsec') * 1000 AS INTEGER))
UPDATE `events` SET parent_id = found.ancestor, overridden_start_at = found.occurrence
FROM (SELECT raised.id AS id, raised.ancestor AS ancestor, raised.occurrence AS occurrence FROM raised
    JOIN events AS above ON above.id = raised.ancestor
    WHERE NOT ((above.cover_id IS NOT NULL OR above.absent_account_user_id IS NOT NULL)
      AND above.parent_id IS NOT NULL AND above.end_at > CAST(unixepoch('subsec') * 1000 AS INTEGER))) AS found
WHERE found.id = events.id AND found.ancestor <> events.parent_id;
--> statement-breakpoint
DELETE FROM `events` WHERE (cover_id IS NOT NULL OR absent_account_user_id IS NOT NULL) AND parent_id IS NOT NULL AND start_at >= CAST(unixepoch('subsec') * 1000 AS INTEGER);
--> statement-breakpoint
UPDATE `events` SET end_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (cover_id IS NOT NULL OR absent_account_user_id IS NOT NULL) AND parent_id IS NOT NULL AND end_at > CAST(unixepoch('subsec') * 1000 AS INTEGER);
--> statement-breakpoint
DROP INDEX `events_cover`;
--> statement-breakpoint
DROP INDEX `events_skip`;
--> statement-breakpoint
DROP INDEX `events_absent`;
--> statement-breakpoint
CREATE INDEX `events_skip` ON `events` (`account_id`) WHERE skip_changes <> '[]';
--> statement-breakpoint
CREATE INDEX `covers_next_in_line` ON `covers` (`account_id`,`end_at`) WHERE covered_by = 'next_in_line';
--> statement-breakpoint
CREATE INDEX `covers_covering` ON `covers` (`covering_account_user_id`) WHERE covering_account_user_id is not null;
--> statement-breakpoint
CREATE INDEX `unavailabilities_end` ON `unavailabilities` (`account_id`,`end_at`);
--> statement-breakpoint
-- Who is on call follows what changes in absences to come: unavailabilities where rotations skip
-- people, or look for the next in line.
CREATE TRIGGER covers_on_call_added AFTER INSERT ON covers
WHEN NEW.end_at > unixepoch() * 1000
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = NEW.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = NEW.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, NEW.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER covers_on_call_changed AFTER UPDATE OF account_user_id, start_at, end_at, covered_by, covering_account_user_id, schedule_ids, decided_at ON covers
WHEN max(NEW.end_at, OLD.end_at) > unixepoch() * 1000
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = NEW.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = NEW.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, NEW.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER covers_on_call_removed AFTER DELETE ON covers
WHEN OLD.end_at > unixepoch() * 1000
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, OLD.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = OLD.account_id
          AND event_attendees.account_user_id IN (SELECT OLD.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = OLD.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = OLD.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, OLD.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_on_call_added AFTER INSERT ON unavailabilities
WHEN (NEW.end_at > unixepoch() * 1000)
  AND (EXISTS (SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM covers WHERE account_id = NEW.account_id
      AND end_at > unixepoch() * 1000 AND covered_by = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = NEW.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = NEW.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, NEW.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_on_call_changed AFTER UPDATE OF start_at, end_at ON unavailabilities
WHEN (NEW.start_at <> OLD.start_at OR NEW.end_at <> OLD.end_at)
  AND (EXISTS (SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM covers WHERE account_id = NEW.account_id
      AND end_at > unixepoch() * 1000 AND covered_by = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = NEW.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = NEW.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, NEW.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_on_call_removed AFTER DELETE ON unavailabilities
WHEN (OLD.end_at > unixepoch() * 1000)
  AND (EXISTS (SELECT 1 FROM events WHERE account_id = OLD.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM covers WHERE account_id = OLD.account_id
      AND end_at > unixepoch() * 1000 AND covered_by = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, OLD.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = OLD.account_id
          AND event_attendees.account_user_id IN (SELECT OLD.account_user_id
            UNION SELECT account_user_id FROM covers
              WHERE covering_account_user_id = OLD.account_user_id AND end_at > unixepoch() * 1000)
      UNION SELECT event_schedules.schedule_id FROM event_rosters
        JOIN event_schedules ON event_schedules.event_id = event_rosters.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_rosters.account_id = OLD.account_id
          AND event_rosters.active_until > unixepoch() * 1000
          AND instr(event_rosters.attendees, OLD.account_user_id) > 0) AS found
    WHERE true
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
