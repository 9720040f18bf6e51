ALTER TABLE `accounts` ADD `page_sent_at` integer;--> statement-breakpoint
UPDATE `accounts` SET `page_sent_at` = coalesce(`page_answered_at`, (
  SELECT `sent_at` FROM `notifications`
  WHERE `notifications`.`account_id` = `accounts`.`id` AND `event` = 'alert.open' AND `status` IN ('sent', 'delivered')
    AND `owner_id` NOT IN (SELECT `alert_id` FROM `exercises` WHERE `kind` = 'test')
  LIMIT 1));
