CREATE TABLE `absence_people` (
	`account_id` text NOT NULL,
	`absence_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`position` integer NOT NULL,
	`answer` text DEFAULT 'pending' NOT NULL,
	`answered_at` integer,
	`channel` text,
	PRIMARY KEY(`absence_id`, `account_user_id`),
	FOREIGN KEY (`absence_id`) REFERENCES `absences`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `absence_people_account` ON `absence_people` (`account_id`,`account_user_id`);--> statement-breakpoint
CREATE TABLE `absences` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`schedule_ids` text,
	`reason` text,
	`instead` text NOT NULL,
	`covering_account_user_id` text,
	`decided_at` integer NOT NULL,
	`serves_from` integer DEFAULT 0 NOT NULL,
	`released` text DEFAULT '[]' NOT NULL,
	`absence_calendar_id` text,
	`calendar_key` text,
	`return_of` text,
	`asking_status` text,
	`asked_at` integer,
	`asking_expires_at` integer,
	`asking_ended_at` integer,
	`return_start_at` integer,
	`return_end_at` integer,
	`hours` text,
	FOREIGN KEY (`covering_account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`absence_calendar_id`) REFERENCES `absence_calendars`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `absences_prefix_id` ON `absences` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `absences_created` ON `absences` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `absences_person` ON `absences` (`account_user_id`,`end_at`);--> statement-breakpoint
CREATE INDEX `absences_end` ON `absences` (`account_id`,`end_at`);--> statement-breakpoint
CREATE INDEX `absences_decided` ON `absences` (`account_id`,`end_at`) WHERE instead <> 'nobody_yet';--> statement-breakpoint
CREATE INDEX `absences_covering` ON `absences` (`covering_account_user_id`) WHERE covering_account_user_id is not null;--> statement-breakpoint
CREATE INDEX `absences_calendar` ON `absences` (`absence_calendar_id`) WHERE absence_calendar_id is not null;
--> statement-breakpoint
-- Covers, unavailabilities and requests for cover become absences, with their ids. A cover that was
-- made by accepting a request has its answers.
INSERT INTO `absences` (id, prefix_id, created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, reason, instead, decided_at, serves_from, absence_calendar_id, calendar_key)
  SELECT id, 'abs' || substr(prefix_id, 4), created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, reason, 'nobody_yet', created_at, serves_from, absence_calendar_id, calendar_key
  FROM `unavailabilities`;
--> statement-breakpoint
INSERT INTO `absences` (id, prefix_id, created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, schedule_ids, reason, instead, covering_account_user_id, decided_at, serves_from,
    released)
  SELECT id, 'abs' || substr(prefix_id, 4), created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, schedule_ids, reason, iif(covered_by = 'nobody', 'empty', covered_by),
    covering_account_user_id, decided_at, serves_from, released
  FROM `covers`;
--> statement-breakpoint
UPDATE `absences` SET return_of = request.cover_ids ->> 0
FROM `cover_requests` AS request
WHERE request.status = 'accepted' AND request.account_id = absences.account_id
  AND absences.id = request.cover_ids ->> 1;
--> statement-breakpoint
UPDATE `absences` SET instead = 'ask', asking_status = 'accepted', asked_at = request.created_at,
  asking_expires_at = request.expires_at, asking_ended_at = request.ended_at,
  return_start_at = request.return_start_at, return_end_at = request.return_end_at,
  hours = request.hours
FROM `cover_requests` AS request
WHERE request.status = 'accepted' AND request.account_id = absences.account_id
  AND absences.id = request.cover_ids ->> 0 AND absences.instead = 'person'
  AND absences.covering_account_user_id = request.accepted_by;
--> statement-breakpoint
INSERT INTO `absence_people` (account_id, absence_id, account_user_id, position, answer, answered_at,
    channel)
  SELECT people.account_id, absences.id, people.account_user_id, people.position, people.answer,
    people.answered_at, people.channel
  FROM `cover_requests` AS request
    JOIN `absences` ON absences.id = request.cover_ids ->> 0 AND absences.instead = 'ask'
    JOIN `cover_request_people` AS people ON people.request_id = request.id
  WHERE request.status = 'accepted';
--> statement-breakpoint
-- Until somebody accepts, a request changed nobody's hours: that stays so.
INSERT INTO `absences` (id, prefix_id, created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, schedule_ids, reason, instead, decided_at, serves_from, asking_status, asked_at,
    asking_expires_at, asking_ended_at, return_start_at, return_end_at, hours)
  SELECT id, 'abs' || substr(prefix_id, 4), created_at, updated_at, account_id, meta, account_user_id,
    start_at, end_at, schedule_ids, reason, 'ask', created_at, end_at, status, created_at,
    expires_at, ended_at, return_start_at, return_end_at, hours
  FROM `cover_requests` WHERE status <> 'accepted';
--> statement-breakpoint
INSERT INTO `absence_people` (account_id, absence_id, account_user_id, position, answer, answered_at,
    channel)
  SELECT people.account_id, people.request_id, people.account_user_id, people.position, people.answer,
    people.answered_at, people.channel
  FROM `cover_request_people` AS people JOIN `absences` ON absences.id = people.request_id;
--> statement-breakpoint
INSERT INTO `list_totals` (account_id, name, total)
  SELECT account_id, 'absences', count(*) FROM `absences` GROUP BY account_id;
--> statement-breakpoint
CREATE TRIGGER absences_total_down AFTER DELETE ON absences BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'absences';
END;
--> statement-breakpoint
CREATE TRIGGER absences_total_up AFTER INSERT ON absences BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'absences', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
-- Who is on call follows what changes in absences to come: those for which nobody serves yet where
-- rotations skip people, or look for the next in line.
CREATE TRIGGER absences_on_call_added AFTER INSERT ON absences
WHEN NEW.end_at > unixepoch() * 1000
  AND (NEW.instead NOT IN ('nobody_yet', 'ask') OR NEW.asking_status IS 'accepted'
    OR EXISTS (SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM absences WHERE account_id = NEW.account_id
      AND end_at > unixepoch() * 1000 AND instead = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM absences
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
CREATE TRIGGER absences_on_call_changed AFTER UPDATE OF account_user_id, start_at, end_at, schedule_ids, instead, covering_account_user_id, decided_at, asking_status ON absences
WHEN max(NEW.end_at, OLD.end_at) > unixepoch() * 1000
  AND (NEW.account_user_id, NEW.start_at, NEW.end_at, NEW.schedule_ids, NEW.instead, NEW.covering_account_user_id, NEW.decided_at, NEW.asking_status)
    IS NOT (OLD.account_user_id, OLD.start_at, OLD.end_at, OLD.schedule_ids, OLD.instead, OLD.covering_account_user_id, OLD.decided_at, OLD.asking_status)
  AND (NEW.instead NOT IN ('nobody_yet', 'ask') OR NEW.asking_status IS 'accepted' OR OLD.instead NOT IN ('nobody_yet', 'ask') OR OLD.asking_status IS 'accepted'
    OR EXISTS (SELECT 1 FROM events WHERE account_id = NEW.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM absences WHERE account_id = NEW.account_id
      AND end_at > unixepoch() * 1000 AND instead = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = NEW.account_id
          AND event_attendees.account_user_id IN (SELECT NEW.account_user_id
            UNION SELECT account_user_id FROM absences
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
CREATE TRIGGER absences_on_call_removed AFTER DELETE ON absences
WHEN OLD.end_at > unixepoch() * 1000
  AND (OLD.instead NOT IN ('nobody_yet', 'ask') OR OLD.asking_status IS 'accepted'
    OR EXISTS (SELECT 1 FROM events WHERE account_id = OLD.account_id AND skip_changes <> '[]')
    OR EXISTS (SELECT 1 FROM absences WHERE account_id = OLD.account_id
      AND end_at > unixepoch() * 1000 AND instead = 'next_in_line'))
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT found.schedule_id, OLD.account_id, 'schedule', hex(randomblob(8)) FROM (
      SELECT event_schedules.schedule_id FROM event_attendees
        JOIN event_schedules ON event_schedules.event_id = event_attendees.event_id
          AND event_schedules.active_until > unixepoch() * 1000
        WHERE event_attendees.account_id = OLD.account_id
          AND event_attendees.account_user_id IN (SELECT OLD.account_user_id
            UNION SELECT account_user_id FROM absences
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
-- The object of an absence that asks is told of it and of its changes: whom to notify, and when it
-- expires.
CREATE TRIGGER absences_asking_added AFTER INSERT ON absences WHEN NEW.asking_status IS NOT NULL
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'absence', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
-- The object itself notes that nobody has accepted in time.
CREATE TRIGGER absences_asking_changed AFTER UPDATE ON absences
WHEN (OLD.asking_status IS 'open' AND NEW.asking_status IS NOT 'expired')
  OR (OLD.asking_status IS NOT 'open' AND NEW.asking_status IS 'open')
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'absence', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER absences_asking_removed AFTER DELETE ON absences WHEN OLD.asking_status IS 'open'
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (OLD.id, OLD.account_id, 'absence', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
