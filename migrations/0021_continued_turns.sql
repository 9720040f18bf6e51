ALTER TABLE `events` ADD `continues` text;--> statement-breakpoint
UPDATE `events` SET `continues` = 'next_turn' WHERE `begins_at` IS NOT NULL OR (`turn_offset` <> 0
  AND NOT EXISTS (SELECT 1 FROM `event_rosters` WHERE `event_rosters`.`event_id` = `events`.`id`));--> statement-breakpoint
UPDATE `event_rosters` SET `attendees` = (SELECT json_group_array(json(iif(
    EXISTS (SELECT 1 FROM `event_attendees` AS own
      WHERE own.`id` = attendee.value ->> 'id' AND own.`event_id` = `event_rosters`.`event_id`),
    attendee.value,
    json_set(attendee.value, '$.id', substr(attendee.value ->> 'id', 1, 10) || hex(randomblob(8))))))
  FROM json_each(`event_rosters`.`attendees`) AS attendee);
