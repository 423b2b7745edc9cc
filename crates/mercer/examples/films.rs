//! What a person thinks of a film, told from what others think of it: PRank on the ratings of MovieLens.
//!
//! ```text
//! MERCER_DATA=… cargo run --release --example films
//! ```
//!
//! A film is known by the ratings of all other people, each less that person's mean. The films of one person come in the order in which they were
//! rated; each is predicted before its rating is learned. Beside it stands what the best constant of the ratings so far would have lost.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::path::Path;

use mercer::Result;
use mercer::data::{Row, open};
use mercer::machine::online::{Online, RowMemory, Rule};

/// Half stars.
const LEVELS: usize = 10;
/// People with fewer ratings are not asked for.
const LEAST: usize = 200;

struct Rating {
    user: u32,
    film: u32,
    level: usize,
    time: u64,
}

fn ratings(path: &Path) -> Result<Vec<Rating>> {
    let mut found = Vec::new();
    for line in std::io::BufReader::new(open(path)?).lines().skip(1) {
        let line = line?;
        let fields: Vec<&str> = line.split(',').collect();
        let [user, film, stars, time] = fields[..] else { continue };
        let parsed = (user.parse(), film.parse(), stars.parse::<f64>(), time.parse());
        if let (Ok(user), Ok(film), Ok(stars), Ok(time)) = parsed {
            found.push(Rating { user, film, level: (2.0 * stars).round() as usize, time });
        }
    }
    Ok(found)
}

/// The level that would have lost least so far.
fn median(counts: &[u64; LEVELS + 1]) -> usize {
    let all: u64 = counts.iter().sum();
    let mut seen = 0;
    (1..=LEVELS)
        .find(|&level| {
            seen += counts[level];
            2 * seen >= all.max(1)
        })
        .unwrap_or(LEVELS / 2)
}

fn main() -> Result<()> {
    let Some(folder) = std::env::var_os("MERCER_DATA") else {
        println!("skipped: MERCER_DATA does not name the folder of the data sets");
        return Ok(());
    };
    let path = Path::new(&folder).join("movielens_small/ratings.csv.gz");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return Ok(());
    }
    let all = ratings(&path)?;
    let mut of_user: BTreeMap<u32, Vec<&Rating>> = BTreeMap::new();
    let mut of_film: HashMap<u32, Vec<(u32, f64)>> = HashMap::new();
    for rating in &all {
        of_user.entry(rating.user).or_default().push(rating);
    }
    for (user, theirs) in &of_user {
        let mean = theirs.iter().map(|rating| rating.level as f64).sum::<f64>() / theirs.len() as f64;
        for rating in theirs {
            of_film.entry(rating.film).or_default().push((*user, rating.level as f64 - mean));
        }
    }
    let (mut people, mut films, mut lost, mut by_constant) = (0u64, 0u64, 0.0, 0.0);
    for (user, mut theirs) in of_user.into_iter().filter(|(_, theirs)| theirs.len() >= LEAST) {
        theirs.sort_by_key(|rating| (rating.time, rating.film));
        let mut machine = Online::params(RowMemory::new("cosine".parse()?)?, Rule::ranking(LEVELS))
            .homogeneous()
            .check()?;
        let mut counts = [0u64; LEVELS + 1];
        for rating in &theirs {
            // Users are in order, since they were gone through in order.
            let others = of_film[&rating.film].iter().filter(|(other, _)| *other != user);
            let (indices, values): (Vec<u32>, Vec<f64>) = others.copied().unzip();
            let row = Row::Sparse { indices: &indices, values: &values };
            lost += machine.learn(row, rating.level as f64)?.loss;
            by_constant += rating.level.abs_diff(median(&counts)) as f64;
            counts[rating.level] += 1;
        }
        people += 1;
        films += theirs.len() as u64;
    }
    println!("{people} people, {films} films");
    let stars = |levels: f64| levels / 2.0 / films.max(1) as f64;
    println!("mean error of PRank      {:.3} stars", stars(lost));
    println!("of the median so far     {:.3} stars", stars(by_constant));
    Ok(())
}
