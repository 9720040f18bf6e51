ALTER TABLE `events` ADD `skip_unavailable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `absent_account_user_id` text;--> statement-breakpoint
CREATE INDEX `events_skip` ON `events` (`account_id`) WHERE skip_unavailable = 1;--> statement-breakpoint
CREATE INDEX `events_absent` ON `events` (`account_id`,`end_at`) WHERE absent_account_user_id is not null;--> statement-breakpoint
-- Rotations that skip who is unavailable follow what changes in unavailabilities to come.
CREATE TRIGGER unavailabilities_on_call_added AFTER INSERT ON unavailabilities
WHEN NEW.end_at > unixepoch() * 1000 AND EXISTS (
  SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_unavailable = 1)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT DISTINCT event_schedules.schedule_id, events.account_id, 'schedule', hex(randomblob(8))
      FROM events JOIN event_schedules ON event_schedules.event_id = events.id
      WHERE events.account_id = NEW.account_id AND events.skip_unavailable = 1
        AND (EXISTS (SELECT 1 FROM event_attendees WHERE event_attendees.event_id = events.id
            AND event_attendees.account_user_id = NEW.account_user_id)
          OR EXISTS (SELECT 1 FROM event_rosters WHERE event_rosters.event_id = events.id
            AND event_rosters.active_until > unixepoch() * 1000
            AND instr(event_rosters.attendees, NEW.account_user_id) > 0))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_on_call_changed AFTER UPDATE OF start_at, end_at ON unavailabilities
WHEN (NEW.start_at <> OLD.start_at OR NEW.end_at <> OLD.end_at) AND EXISTS (
  SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_unavailable = 1)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT DISTINCT event_schedules.schedule_id, events.account_id, 'schedule', hex(randomblob(8))
      FROM events JOIN event_schedules ON event_schedules.event_id = events.id
      WHERE events.account_id = NEW.account_id AND events.skip_unavailable = 1
        AND (EXISTS (SELECT 1 FROM event_attendees WHERE event_attendees.event_id = events.id
            AND event_attendees.account_user_id = NEW.account_user_id)
          OR EXISTS (SELECT 1 FROM event_rosters WHERE event_rosters.event_id = events.id
            AND event_rosters.active_until > unixepoch() * 1000
            AND instr(event_rosters.attendees, NEW.account_user_id) > 0))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_on_call_removed AFTER DELETE ON unavailabilities
WHEN OLD.end_at > unixepoch() * 1000 AND EXISTS (
  SELECT 1 FROM events WHERE account_id = OLD.account_id AND skip_unavailable = 1)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT DISTINCT event_schedules.schedule_id, events.account_id, 'schedule', hex(randomblob(8))
      FROM events JOIN event_schedules ON event_schedules.event_id = events.id
      WHERE events.account_id = OLD.account_id AND events.skip_unavailable = 1
        AND (EXISTS (SELECT 1 FROM event_attendees WHERE event_attendees.event_id = events.id
            AND event_attendees.account_user_id = OLD.account_user_id)
          OR EXISTS (SELECT 1 FROM event_rosters WHERE event_rosters.event_id = events.id
            AND event_rosters.active_until > unixepoch() * 1000
            AND instr(event_rosters.attendees, OLD.account_user_id) > 0))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
