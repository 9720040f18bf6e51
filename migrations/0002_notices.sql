ALTER TABLE `on_call_changes` ADD `actors` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `on_call_changes` ADD `attributed` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `gap_notifications` text DEFAULT 'team_admins' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `shift_notices` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `shift_reminders` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `shift_digest_day` text;--> statement-breakpoint
ALTER TABLE `users` ADD `shift_digest_time_of_day` text DEFAULT '08:00' NOT NULL;--> statement-breakpoint
CREATE TRIGGER account_users_digest_added AFTER INSERT ON account_users
WHEN NEW.state = 'active' AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND shift_digest_day IS NOT NULL)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'person', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_digest_joined AFTER UPDATE OF state ON account_users
WHEN NEW.state = 'active' AND OLD.state <> 'active'
  AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND shift_digest_day IS NOT NULL)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'person', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER users_digest_changed AFTER UPDATE OF shift_digest_day, shift_digest_time_of_day, time_zone ON users
WHEN NEW.shift_digest_day IS NOT OLD.shift_digest_day
  OR (NEW.shift_digest_day IS NOT NULL
    AND (NEW.shift_digest_time_of_day <> OLD.shift_digest_time_of_day OR NEW.time_zone <> OLD.time_zone))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT id, account_id, 'person', hex(randomblob(8)) FROM account_users
      WHERE user_id = NEW.id AND state = 'active'
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER users_reminders_changed AFTER UPDATE OF shift_reminders ON users
WHEN NEW.shift_reminders <> OLD.shift_reminders
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT DISTINCT event_schedules.schedule_id, event_schedules.account_id, 'schedule', hex(randomblob(8))
      FROM account_users JOIN event_schedules ON event_schedules.account_id = account_users.account_id
      WHERE account_users.user_id = NEW.id AND event_schedules.event_id IN (
        SELECT event_id FROM event_attendees
          WHERE event_attendees.account_id = account_users.account_id
            AND event_attendees.account_user_id = account_users.id
        UNION SELECT event_id FROM event_rosters
          WHERE event_rosters.account_id = account_users.account_id
            AND event_rosters.active_until > unixepoch() * 1000
            AND instr(event_rosters.attendees, account_users.id) > 0)
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
-- The objects of existing schedules and teams look at their shifts once. Without an actor, that is
-- no change of them: nobody is notified of the shifts that they find.
INSERT INTO on_call_changes (id, account_id, kind, version, attributed)
  SELECT id, account_id, 'schedule', 'first', 'first' FROM schedules
    WHERE EXISTS (SELECT 1 FROM event_schedules WHERE event_schedules.account_id = schedules.account_id
      AND event_schedules.schedule_id = schedules.id)
  ON CONFLICT (id) DO NOTHING;
--> statement-breakpoint
INSERT INTO on_call_changes (id, account_id, kind, version, attributed)
  SELECT id, account_id, 'team', 'first', 'first' FROM teams WHERE schedule_id IS NOT NULL
  ON CONFLICT (id) DO NOTHING;
