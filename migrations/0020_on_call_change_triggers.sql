-- Every change of who is on call leaves a row, whatever statement or cascade makes it, until the objects concerned have
-- been notified; so does the removal of an account user.
CREATE TRIGGER event_schedules_on_call_added AFTER INSERT ON event_schedules BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_schedules_on_call_removed AFTER DELETE ON event_schedules BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (OLD.schedule_id, OLD.account_id, 'schedule', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER events_on_call AFTER UPDATE ON events BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_added AFTER INSERT ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_changed AFTER UPDATE ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_removed AFTER DELETE ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = OLD.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_exceptions_on_call_added AFTER INSERT ON event_exceptions BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_exceptions_on_call_removed AFTER DELETE ON event_exceptions BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = OLD.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_added AFTER INSERT ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_removed AFTER DELETE ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (OLD.id, OLD.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_removed AFTER DELETE ON account_users BEGIN
  INSERT OR IGNORE INTO member_removals (id, account_id, name)
    SELECT OLD.id, OLD.account_id, users.name FROM users WHERE users.id = OLD.user_id;
END;
--> statement-breakpoint
INSERT INTO on_call_changes (id, account_id, kind, version)
  SELECT id, account_id, 'team', hex(randomblob(8)) FROM teams WHERE handoff_notifications <> 'none';
